-- End a grant, whoever's it is: at once, and pass the lock on; or let it end by itself after a while.
-- KEYS   lock, fence counter, queue, owner hash, holds
-- ARGV   the value of the grant, ms it is still to live or 0
-- Reply  1 ended | 0 not there any more, or another's
-- Atomic, because between the comparison and the rest the lock could become another's. The holds of an owner end with it:
-- a value of another grant makes what is kept of them void anyway.
-- include: fence
-- include: common
-- include: queue
local lock, counter, queue, owner_key, holds = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local value, life = ARGV[1], tonumber(ARGV[2])

if redis.pcall('GET', lock) ~= value then return 0 end
if life > 0 then -- its holder is done with it, so this may shorten its life; but it never gets a longer one
  local left = redis.call('PTTL', lock)
  if left == -1 or left > life then redis.call('PEXPIRE', lock, life) end
  return 1
end
if longest_life(value) then tell(counter, value, 'w') end -- a process that keeps it for the next one lets go
redis.call('DEL', owner_key, holds)
pass_on(lock, counter, queue)
return 1
