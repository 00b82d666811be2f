-- Acquire: mine -> extend and grant again; free -> take; another's -> say whose and for how long.
-- KEYS   lock, fence counter, and the queue for a caller who will wait in it
-- ARGV   token, ttl ms, fence floor ('' without fencing), and the entry in the queue, then 'deaf' to be there no longer
-- Reply  'granted <fence base or 0>', then ' told' when word of it was sent before, and ' wanted' when others wait
--        | {'contended', value, pttl, 1 in the queue or 0} | {'incompatible', pttl}
-- Atomic, because between finding the lock free and taking it somebody else could take it.
-- A free lock comes first, before functions it does not need are made: making them costs more than a command.
-- include: fence
local lock, counter, queue = KEYS[1], KEYS[2], KEYS[3]
local token, ttl, floor, entry = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local value = redis.pcall('GET', lock)
if not value then
  local base, mark = '0', token
  if floor ~= '' then -- the fence first, the lock last: a script that stops in between has taken nothing
    base = next_fence(counter, floor)
    mark = token .. '#' .. base
  end
  redis.call('SET', lock, mark, 'PX', ttl)
  local wanted = queue and redis.call('EXISTS', queue) == 1
  if wanted and redis.call('ZREM', queue, entry) == 1 then wanted = redis.call('EXISTS', queue) == 1 end
  return 'granted ' .. base .. (wanted and ' wanted' or '') -- not a list: Redis builds those slowly
end

-- include: common
-- include: queue
if type(value) == 'table' then
  if string.sub(value.err, 1, 9) ~= 'WRONGTYPE' then return value end
  return {'incompatible', redis.call('PTTL', lock)}
end

if is_mine(value, token) then -- passed on, or a retry whose reply was lost; a late copy must not shorten the lease
  if redis.call('PTTL', lock) < tonumber(ttl) then redis.call('PEXPIRE', lock, ttl) end
  return 'granted ' .. (string.match(value, '#(%d+)$') or '0') .. left(queue, entry)
end

local life = time_left(lock, value)
want(counter, value, life, not queue and token)
return {'contended', value, life, queue and join(queue, entry, ARGV[5]) or 0}
