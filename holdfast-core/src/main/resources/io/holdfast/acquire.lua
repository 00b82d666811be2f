-- Acquire: mine -> extend and grant again; free -> take; another's -> say whose and for how long.
-- KEYS   lock, fence counter, and the wait queue for a caller who will wait and is to be listed
-- ARGV   token, ttl ms, fence floor ('' without fencing)
-- Reply  'granted <fence base or 0>' | {'contended', value, pttl} | {'incompatible', pttl}
-- Atomic, because between finding the lock free and taking it somebody else could take it.
-- A free lock comes first, before functions it does not need are made: making them costs more than a command.
-- include: fence
local lock, counter, queue = KEYS[1], KEYS[2], KEYS[3]
local token, ttl, floor = ARGV[1], ARGV[2], ARGV[3]

local value = redis.pcall('GET', lock)
if not value then
  local base = '0'
  local mark = token
  if floor ~= '' then -- the fence first, the lock last: a script that stops in between has taken nothing
    base = next_fence(counter, floor)
    mark = token .. '#' .. base
  end
  redis.call('SET', lock, mark, 'NX', 'PX', ttl)
  if queue then redis.call('ZREM', queue, token) end
  return 'granted ' .. base -- not a list: Redis builds those slowly
end

-- include: common
if type(value) == 'table' then
  if string.sub(value.err, 1, 9) ~= 'WRONGTYPE' then return value end
  return {'incompatible', redis.call('PTTL', lock)}
end

if is_mine(value, token) then -- a retry whose first reply was lost; a late copy must not shorten the lease
  if redis.call('PTTL', lock) < tonumber(ttl) then redis.call('PEXPIRE', lock, ttl) end
  if queue then redis.call('ZREM', queue, token) end
  return 'granted ' .. (string.match(value, '#(%d+)$') or '0')
end

local left = time_left(lock, value)
if queue then join(queue, token) end
return {'contended', value, left}
