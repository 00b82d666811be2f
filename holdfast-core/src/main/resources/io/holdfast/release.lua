-- Release: delete the lock if it is still this token's.
-- KEYS   lock
-- ARGV   token
-- Reply  1 released | 0 not there, or another's
-- Atomic, because between the comparison and DEL the lock could become another's.
local lock, token = KEYS[1], ARGV[1]
local value = redis.pcall('GET', lock)
if type(value) ~= 'string' or not is_mine(value, token) then return 0 end
return redis.call('DEL', lock)
