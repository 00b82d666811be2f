-- Acquire for an owner id: the owner's lock -> one more hold; free -> take; another's -> say whose and for how long.
-- KEYS   lock, fence counter, wait queue, owner hash, holds
-- ARGV   token, ttl ms, fence floor ('' without fencing), 'join' or '', owner id
-- Reply  'granted <fence base or 0>' | {'contended', value, pttl} | {'incompatible', pttl}
-- Atomic, because lock, owner and holds must tell one story. Holds are a set of tokens, not a count: a repeated acquire
-- or release changes nothing, and a crashed holder's entry ends with its own lease.
-- include: fence
-- include: common
local lock, counter, queue, owner_key, holds = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local token, ttl, floor, wait, owner = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]

local value = redis.pcall('GET', lock)
if type(value) == 'table' then
  if string.sub(value.err, 1, 9) ~= 'WRONGTYPE' then return value end
  return {'incompatible', redis.call('PTTL', lock)}
end

local base = '0'
if not value then
  if floor ~= '' then base = next_fence(counter, floor) end
  value = base == '0' and token or token .. '#' .. base
  redis.call('HSET', owner_key, 'value', value, 'owner', owner) -- first: without memory nothing is to be taken
  redis.call('DEL', holds)
elseif redis.call('HGET', owner_key, 'value') ~= value or redis.call('HGET', owner_key, 'owner') ~= owner then
  local left = time_left(lock, value)
  if wait == 'join' then join(queue, token) end
  return {'contended', value, left}
else
  local mark = string.match(value, '#%d+$') or ''
  base = mark == '' and '0' or string.sub(mark, 2)
  if longest_life(token) > longest_life(value) then -- or the next contender would cut this hold's life down
    value = token .. mark
    redis.call('HSET', owner_key, 'value', value)
  end
end

local life = math.max(redis.call('PTTL', lock), ttl) -- re-entry extends, never shortens
local ends = math.floor(server_micros() / 1000) + ttl
local before = tonumber(redis.call('ZSCORE', holds, token) or 0)
redis.call('ZADD', holds, math.max(before, ends), token)
redis.call('PEXPIRE', holds, life)
redis.call('PEXPIRE', owner_key, life)
redis.call('SET', lock, value, 'PX', life)
if wait == 'join' then redis.call('ZREM', queue, token) end
return 'granted ' .. base
