-- Abandon an acquisition: leave the queue and, should the lock have been granted meanwhile, free it.
-- KEYS   lock, wait queue
-- ARGV   token
-- Reply  1 a grant was undone | 0 there was none
-- Atomic, so that a grant can't slip in between leaving and looking. Repeated by the client, because a late copy of the
-- acquire may still be under way on another connection.
-- include: common
local lock, queue, token = KEYS[1], KEYS[2], ARGV[1]
redis.call('ZREM', queue, token)
local value = redis.pcall('GET', lock)
if type(value) ~= 'string' or not is_mine(value, token) then return 0 end
return redis.call('DEL', lock)
