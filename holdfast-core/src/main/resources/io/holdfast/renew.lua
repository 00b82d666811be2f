-- Renew: extend each lease that is still there.
-- KEYS   locks
-- ARGV   for each lock its value and the ttl in ms
-- Reply  for each lock 'renewed', 'gone', or the error met
-- Atomic per lock, because between the comparison and PEXPIRE the lock could become another's. One bad key must not
-- harm the others of the batch, so nothing here may raise. PEXPIRE alone writes: it works when memory is full.
local replies = {}
for i, lock in ipairs(KEYS) do
  local value, ttl = ARGV[2 * i - 1], tonumber(ARGV[2 * i])
  local found = redis.pcall('GET', lock)
  local reply = 'gone'
  if found == value then
    reply = 'renewed'
    -- Never shorter: a renewal that was overtaken by a longer one must not cut it.
    if redis.call('PTTL', lock) < ttl then
      local done = redis.pcall('PEXPIRE', lock, ttl)
      if type(done) == 'table' then reply = done.err end
    end
  elseif type(found) == 'table' and string.sub(found.err, 1, 9) ~= 'WRONGTYPE' then
    reply = found.err
  end
  replies[i] = reply
end
return replies
