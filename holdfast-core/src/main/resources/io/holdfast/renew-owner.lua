-- Renew one hold of an owner, and the lock with it.
-- KEYS   lock, owner hash, holds
-- ARGV   token of the hold, ttl ms
-- Reply  'renewed' | 'gone'
-- Atomic, because the hold and the lock's life must not part. The first write is a PEXPIRE, which needs no memory and
-- lets the rest pass when memory is full.
-- include: common
local lock, owner_key, holds = KEYS[1], KEYS[2], KEYS[3]
local token, ttl = ARGV[1], tonumber(ARGV[2])

local value = redis.pcall('GET', lock)
local now = math.floor(server_micros() / 1000)
if not value or type(value) == 'table' or redis.call('HGET', owner_key, 'value') ~= value then return 'gone' end
local ends = tonumber(redis.call('ZSCORE', holds, token) or 0)
if ends < now then return 'gone' end

local life = math.max(redis.call('PTTL', lock), ttl)
redis.call('PEXPIRE', lock, life)
redis.call('ZADD', holds, math.max(ends, now + ttl), token)
redis.call('PEXPIRE', holds, life)
redis.call('PEXPIRE', owner_key, life)
return 'renewed'
