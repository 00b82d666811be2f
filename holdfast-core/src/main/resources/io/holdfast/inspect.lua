-- Inspect: who holds the lock and who waits. Changes nothing.
-- KEYS   lock, owner hash, holds, queue
-- Reply  {'free', entries of the queue} | {'held', entries, value or '', pttl, owner or '', number of holds}
-- Atomic, so that holder, time and owner belong together.
-- include: common
local lock, owner_key, holds, queue = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local waiting = redis.call('ZRANGE', queue, 0, 99)
if redis.call('EXISTS', lock) == 0 then return {'free', waiting} end
local value = redis.pcall('GET', lock)
if type(value) ~= 'string' then value = '' end
local owner, count = '', 0
if value ~= '' and redis.call('HGET', owner_key, 'value') == value then
  owner = redis.call('HGET', owner_key, 'owner')
  count = redis.call('ZCOUNT', holds, math.floor(server_micros() / 1000), '+inf')
end
return {'held', waiting, value, redis.call('PTTL', lock), owner, count}
