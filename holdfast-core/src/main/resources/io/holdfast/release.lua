-- Release: delete the lock if it is still this grant's; where somebody may wait, pass it on.
-- KEYS   lock, and where somebody may wait: fence counter, queue
-- ARGV   the value the grant gave it; and to stand in the queue again: entry, ttl ms, fence floor ('' without fencing); '' in
--        their place, if need be, before the entries of those who had their turn on this grant: they leave the queue
-- Reply  1 released | 0 not there, or another's. With a new entry a list: that, then 'granted <fence base or 0>' if nobody
--        else was in the queue, or ''
-- Atomic, because between the comparison and the rest the lock could become another's. A lock that is already free is
-- passed on as well: somebody may have joined just before it was deleted.
local lock, counter, queue = KEYS[1], KEYS[2], KEYS[3]
local value, entry = ARGV[1], ARGV[2] ~= '' and ARGV[2]
local found = redis.pcall('GET', lock) -- a key of another type gives an error, which is no value either
if not counter then
  return found == value and redis.call('DEL', lock) or 0
end

-- include: fence
-- include: common
-- include: queue
if #ARGV > 4 then redis.call('ZREM', queue, unpack(ARGV, 5)) end
local mine = found == value
local again
if entry and type(found) == 'string' and is_mine(found, string.sub(entry, 2)) then
  again = found -- a retry: the first one released, and the new entry has had its turn; the caller counts from now
  if redis.call('PTTL', lock) < tonumber(ARGV[3]) then redis.call('PEXPIRE', lock, ARGV[3]) end
else
  if entry then join(queue, entry) end
  if mine or not found then again = pass_on(lock, counter, queue, entry, ARGV[3], ARGV[4]) end
end
if not entry then return mine and 1 or 0 end
return {mine and 1 or 0, again and 'granted ' .. (string.match(again, '#(%d+)$') or '0') .. left(queue, entry) or ''}
