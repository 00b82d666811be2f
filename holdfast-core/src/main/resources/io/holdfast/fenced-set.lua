-- Fenced write: set a value unless a higher fencing token has written before.
-- KEYS   a hash with the fields value and fence
-- ARGV   fencing token as 19 digits, the new value
-- Reply  1 written | 0 stale
-- Atomic, because between the comparison and the write a newer holder could write. Tokens are compared as zero-padded
-- text: a Lua number loses their last digits. An equal token passes: it is the same holder's second write.
local key, fence, value = KEYS[1], ARGV[1], ARGV[2]
local last = redis.call('HGET', key, 'fence')
if last and last > fence then return 0 end
redis.call('HSET', key, 'fence', fence, 'value', value)
return 1
