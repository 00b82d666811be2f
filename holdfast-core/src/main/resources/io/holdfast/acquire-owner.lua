-- Acquire for an owner id: the owner's lock -> one more hold; free -> take; another's -> say whose and for how long.
-- KEYS   lock, fence counter, queue, owner hash, holds
-- ARGV   token, ttl ms, fence floor ('' without fencing), entry in the queue ('' for a caller who will not wait), owner id,
--        and 'deaf' to be in the queue no longer
-- Reply  as acquire
-- Atomic, because lock, owner and holds must tell one story. Holds are a set of tokens, not a count: a repeated acquire
-- or release changes nothing, and a crashed holder's entry ends with its own lease.
-- include: fence
-- include: common
-- include: queue
local lock, counter, queue, owner_key, holds = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local token, ttl, floor, entry, owner = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]

local value = redis.pcall('GET', lock)
if type(value) == 'table' then
  if string.sub(value.err, 1, 9) ~= 'WRONGTYPE' then return value end
  return {'incompatible', redis.call('PTTL', lock)}
end
local passed_on = value and is_mine(value, token)
local ours = value and redis.call('HGET', owner_key, 'value') == value and redis.call('HGET', owner_key, 'owner') == owner
if value and not ours and not passed_on then -- it is mine without being ours when it was passed on
  local life = time_left(lock, value)
  want(counter, value, life, entry == '' and token)
  return {'contended', value, life, entry ~= '' and join(queue, entry, ARGV[6]) or 0}
end

local life = math.max(redis.call('PTTL', lock), ttl) -- re-entry extends, never shortens
if value then redis.call('PEXPIRE', lock, life) end -- needs no memory, and lets the rest pass when memory is full
local mark = value and (string.match(value, '#%d+$') or '') or floor ~= '' and '#' .. next_fence(counter, floor) or ''
if not value or longest_life(token) > longest_life(value) then -- or the next contender would cut this hold's life down
  value = token .. mark
end
redis.call('HSET', owner_key, 'value', value, 'owner', owner) -- before the lock: without memory nothing is to be taken
if not ours then redis.call('DEL', holds) end
redis.call('ZADD', holds, 'GT', math.floor(server_micros() / 1000) + ttl, token)
redis.call('PEXPIRE', holds, life)
redis.call('PEXPIRE', owner_key, life)
redis.call('SET', lock, value, 'PX', life)
return 'granted ' .. (mark == '' and '0' or string.sub(mark, 2)) .. left(queue, entry, not passed_on)
