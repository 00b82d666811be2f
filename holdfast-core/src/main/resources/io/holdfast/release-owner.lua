-- Release, or abandon, one hold of an owner; the last one frees the lock.
-- KEYS   lock, owner hash, holds, wait queue
-- ARGV   token of the hold, 'counted' or 'uncounted' (the first release frees)
-- Reply  1 released | 0 this hold was not there any more
-- Atomic, because two last holds that leave at once must not both see the other.
-- include: common
local lock, owner_key, holds, queue = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local token, mode = ARGV[1], ARGV[2]

redis.call('ZREM', queue, token)
local now = math.floor(server_micros() / 1000)
redis.call('ZREMRANGEBYSCORE', holds, '-inf', '(' .. string.format('%.0f', now)) -- holders that crashed
if redis.call('ZREM', holds, token) == 0 then return 0 end
local value = redis.pcall('GET', lock)
local ours = type(value) == 'string' and redis.call('HGET', owner_key, 'value') == value
local last = redis.call('ZRANGE', holds, -1, -1, 'WITHSCORES')[2]
if ours and mode == 'counted' and last then
  -- No longer than the holds that stay: should their holders have crashed, nobody waits for the lease of one that left.
  for _, key in ipairs({lock, owner_key, holds}) do redis.call('PEXPIRE', key, last - now + 1) end
  return 1
end
redis.call('DEL', holds, owner_key)
if ours then return redis.call('DEL', lock) end
return 0
