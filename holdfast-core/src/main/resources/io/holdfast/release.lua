-- Release: delete the lock if it is still this grant's.
-- KEYS   lock
-- ARGV   the value the grant gave it
-- Reply  1 released | 0 not there, or another's
-- Atomic, because between the comparison and DEL the lock could become another's.
local lock, value = KEYS[1], ARGV[1]
if redis.pcall('GET', lock) ~= value then return 0 end -- a key of another type gives an error, which is no value either
return redis.call('DEL', lock)
