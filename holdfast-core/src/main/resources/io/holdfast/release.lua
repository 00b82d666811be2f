-- Release: delete the lock if it is still this grant's; where somebody may wait, pass it on.
-- KEYS   lock, and where somebody may wait: fence counter, queue
-- ARGV   the value the grant gave it; and to stand in the queue again: entry, ttl ms, fence floor ('' without fencing), or three
--        times ''; then 'unfair', or for a fair lock how many more stand in the queue right behind that entry, their entries, and
--        the entries of those who had their turn on this grant: they leave the queue
-- Reply  1 released | 0 not there, or another's. With a new entry a list: that, then 'granted <fence base or 0>' if nobody
--        else was in the queue, or ''; behind ' wanted' in it the ids of those who come next with it; then 0 if for want of
--        memory they are not in the queue, or 1
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
local more = tonumber(ARGV[5]) or 0
if #ARGV > 5 + more then redis.call('ZREM', queue, unpack(ARGV, 6 + more)) end
local mine = found == value
local again
local listed = 1
if entry and type(found) == 'string' and is_mine(found, string.sub(entry, 2)) then
  again = found -- a retry: the first one released, and the new entry has had its turn; the caller counts from now
  if redis.call('PTTL', lock) < tonumber(ARGV[3]) then redis.call('PEXPIRE', lock, ARGV[3]) end
else
  if entry then listed = join(queue, entry, nil, {unpack(ARGV, 6, 5 + more)}) end
  if mine or not found then
    again = pass_on(lock, counter, queue, entry, ARGV[3], ARGV[4], ARGV[5] == 'unfair')
  elseif entry and type(found) == 'string' then
    want(counter, found, redis.call('PTTL', lock)) -- its holder took a lock that nobody waited for
  end
end
if not entry then return mine and 1 or 0 end
if not again then return {mine and 1 or 0, '', listed} end
local next_ones = left(queue, entry) .. (more > 0 and behind(queue, string.sub(entry, 2)) or '')
return {mine and 1 or 0, 'granted ' .. (string.match(again, '#(%d+)$') or '0') .. next_ones, listed}
