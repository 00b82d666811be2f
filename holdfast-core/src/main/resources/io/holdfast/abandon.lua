-- Abandon an acquisition: leave the queue and, should the lock have been granted meanwhile, pass it on.
-- KEYS   lock, fence counter, queue
-- ARGV   token
-- Reply  1 a grant was undone | 0 there was none
-- Atomic, so that a grant can't slip in between leaving and looking. Repeated by the client, because a late copy of the
-- acquire may still be under way on another connection.
-- include: fence
-- include: common
-- include: queue
local lock, counter, queue, token = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
redis.call('ZREM', queue, 'F' .. token, 'f' .. token, 'u' .. token, 'w' .. token)
local value = redis.pcall('GET', lock)
if type(value) ~= 'string' or not is_mine(value, token) then return 0 end
pass_on(lock, counter, queue)
return 1
