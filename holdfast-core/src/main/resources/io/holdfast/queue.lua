-- Shared: put in place of the line that includes it when a script is loaded. Needs fence and common.
-- The queue is a sorted set of who waits, by time of arrival. An entry is a letter and a token: 'f' and 'u' are granted the
-- lock, with and without a fence; 'F' may be granted it for the whole life its token names; 'w' is only woken, because other
-- libraries compete for the same key.

-- Tells the process of a token something; whether anybody listened. An ACL may refuse: that must not end a script half-way.
local function tell(counter, token, letter, more)
  local channel = string.sub(counter, 1, -6) .. 'ch:' .. string.sub(token, 23, 34) -- 'fence' makes way
  local heard = redis.pcall('PUBLISH', channel, letter .. string.sub(token, 1, 34) .. (more or ''))
  return type(heard) == 'number' and heard > 0
end

-- Lets a holder of ours know that its lock is wanted. One that will not wait does not disturb its own process; one that was
-- handed the lock, which the zero before its fence base tells, reckons with others anyway; one that was only just passed it for
-- a moment, which a life of hardly less than a second tells, sees the queue when it confirms. Any other holder in its last
-- second must hear of it, or it deletes the lock without a look at the queue.
local function want(counter, holder, life, passer_by)
  local own = passer_by and string.sub(holder, 23, 34) == string.sub(passer_by, 23, 34)
  local most = longest_life(holder)
  if not most or own or string.find(holder, '#0', 35, true) then return end
  if life > 1000 or life < 900 or most <= 1000 then tell(counter, holder, 'w') end
end

-- Lists a waiter, once, and more of them right behind it; whether it is listed. Without memory it is not: busy is still the
-- true answer. One that has gone deaf is taken off: it would not hear of its turn, and hold up those behind it.
local function join(queue, entry, deaf, more)
  if deaf then
    redis.call('ZREM', queue, entry)
    return 0
  end
  local last = tonumber(redis.call('ZREVRANGE', queue, 0, 0, 'WITHSCORES')[2] or 0)
  time = time or redis.call('TIME')
  local arrival = math.max(server_micros(time), last + 1)
  local places = {arrival, entry}
  for i, another in ipairs(more or {}) do
    places[2 * i + 1], places[2 * i + 2] = arrival + i, another
  end
  local added = redis.pcall('ZADD', queue, 'NX', unpack(places))
  -- Once a second is enough: the last one saw to it, if it came in this very second.
  if math.floor(arrival / 1000000) ~= math.floor(last / 1000000) then redis.pcall('PEXPIRE', queue, 60000) end
  return type(added) == 'number' and 1 or 0
end

-- What an answer to a waiter ends with: whether it was taken off the queue before, so was sent word of its turn, unless that
-- happened right now; and whether others are still in it.
local function left(queue, entry, now)
  if not queue then return '' end
  local told = redis.call('ZREM', queue, entry) == 0 and not now and ' told' or ''
  return told .. (redis.call('EXISTS', queue) == 1 and ' wanted' or '')
end

-- The ids of those that come next, up to the first of another process: they pass the lock on among themselves.
local function behind(queue, token)
  local ids, process, steps = '', string.sub(token, 23, 34), {0, 4, 12, 31}
  for i = 1, 3 do -- a few at a time: as a rule there are few, and every entry read costs a third of a command
    local entries = redis.call('ZRANGE', queue, steps[i], steps[i + 1] - 1)
    for _, entry in ipairs(entries) do
      if string.sub(entry, 24, 35) ~= process then return ids end
      ids = ids .. string.sub(entry, 2, 35)
    end
    if #entries < steps[i + 1] - steps[i] then break end
  end
  return ids
end

-- Hands the lock over for good to one that asked only just now, and so is there: the word is all it needs. It is sent last,
-- for it is believed. Of the others one may have been paused for long, and gets the lock for a moment.
local function hand_over(lock, counter, queue, token, fence, unfair)
  redis.call('SET', lock, token .. '#0' .. fence, 'PX', longest_life(token))
  local permitted, ids = not unfair, '' -- only fair locks need to know who comes next: without the permission nobody does
  if permitted then permitted, ids = pcall(behind, queue, token) end
  return tell(counter, token, 'G', fence .. (permitted and ids or ''))
end

-- Gives the lock to the first in the queue whose process hears of it, for a moment: it confirms by acquiring. With nobody
-- there the lock is free. The first write is a pop, which needs no memory and lets the rest pass when memory is full.
-- The caller itself, when it is in the queue, needs no message and gets its whole ttl; then its value is returned.
local function pass_on(lock, counter, queue, me, ttl, floor, unfair)
  for _ = 1, 64 do
    local popped = redis.call('ZPOPMIN', queue)
    local entry, arrived = popped[1], popped[2]
    if not entry then break end
    local kind, token = string.sub(entry, 1, 1), string.sub(entry, 2)
    local fence = (kind == 'F' or kind == 'f') and next_fence(counter, floor or '')
    if kind == 'F' and entry ~= me and fence - arrived <= 10000 then
      if hand_over(lock, counter, queue, token, fence, unfair) then return end
    elseif entry == me or tell(counter, token, 'g') then
      if kind == 'w' then break end
      local value = fence and token .. '#' .. fence or token
      local life = entry == me and ttl or math.min(1000, longest_life(token) or 1000)
      redis.call('SET', lock, value, 'PX', life)
      return entry == me and value
    end
  end
  redis.call('DEL', lock)
end
