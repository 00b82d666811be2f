-- Release, or abandon, one hold of an owner; the last one frees the lock.
-- KEYS   lock, fence counter, queue, owner hash, holds
-- ARGV   token of the hold, 'counted' or 'uncounted' (the first release frees)
-- Reply  1 released | 0 this hold was not there any more
-- Atomic, because two last holds that leave at once must not both see the other.
-- include: fence
-- include: common
-- include: queue
local lock, counter, queue, owner_key, holds = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local token, mode = ARGV[1], ARGV[2]

redis.call('ZREM', queue, 'f' .. token, 'u' .. token, 'w' .. token)
local now = math.floor(server_micros() / 1000)
redis.call('ZREMRANGEBYSCORE', holds, '-inf', '(' .. string.format('%.0f', now)) -- holders that crashed
local removed = redis.call('ZREM', holds, token) == 1
local value = redis.pcall('GET', lock)
local ours = type(value) == 'string' and redis.call('HGET', owner_key, 'value') == value
local unconfirmed = type(value) == 'string' and not ours and is_mine(value, token) -- passed on to a waiter that left
if not removed and not unconfirmed then return 0 end
local last = redis.call('ZRANGE', holds, -1, -1, 'WITHSCORES')[2]
if ours and mode == 'counted' and last then
  -- No longer than the holds that stay: should their holders have crashed, nobody waits for the lease of one that left.
  for _, key in ipairs({lock, owner_key, holds}) do redis.call('PEXPIRE', key, last - now + 1) end
  return 1
end
redis.call('DEL', holds, owner_key)
if not ours and not unconfirmed then return 0 end
pass_on(lock, counter, queue)
return 1
