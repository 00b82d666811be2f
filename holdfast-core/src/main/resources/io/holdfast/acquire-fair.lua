-- Acquire in order of arrival: as acquire, but a free lock goes to the first in the queue.
-- KEYS   lock, fence counter, queue
-- ARGV   token, ttl ms, fence floor ('' without fencing), entry in the queue ('' for a caller who will not wait in it), and
--        'deaf' to be there no longer
-- Reply  as acquire, and right behind ' wanted' the ids of those of the same process that come next
-- Atomic, because the order is lost if somebody takes the lock between looking at the queue and taking it.
-- include: fence
-- include: common
-- include: queue
local lock, counter, queue = KEYS[1], KEYS[2], KEYS[3]
local token, ttl, floor, entry = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local value = redis.pcall('GET', lock)
if type(value) == 'table' then
  if string.sub(value.err, 1, 9) ~= 'WRONGTYPE' then return value end
  return {'incompatible', redis.call('PTTL', lock)}
end

local free = not value
if free then
  local listed = entry ~= '' and join(queue, entry, ARGV[5]) or 0
  value = pass_on(lock, counter, queue, entry, ttl, floor) or redis.call('GET', lock)
  local first = not value and redis.call('ZRANGE', queue, 0, 0)[1]
  if first and first ~= entry then return {'contended', '', 0, listed} end -- more dead ones than one call skips: ask again
  if not value then -- nobody in the queue who hears
    value = floor == '' and token or token .. '#' .. next_fence(counter, floor)
    redis.call('SET', lock, value, 'PX', ttl)
  end
end

if is_mine(value, token) then
  if redis.call('PTTL', lock) < tonumber(ttl) then redis.call('PEXPIRE', lock, ttl) end
  local others = left(queue, entry, free)
  return 'granted ' .. (string.match(value, '#(%d+)$') or '0') .. others .. (others ~= '' and behind(queue, token) or '')
end

local life = time_left(lock, value)
want(counter, value, life, entry == '' and token)
return {'contended', value, life, entry ~= '' and join(queue, entry, ARGV[5]) or 0}
