-- Shared by the scripts that take locks; put in front of them when they are loaded.
-- A value is <22 random><12 instance>.<max ttl>~host/pid, with #<fence base> behind it when the grant is fenced.

local function is_mine(value, token)
  return value == token or string.sub(value, 1, #token + 1) == token .. '#'
end

local function server_micros()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

-- max(last + 1, server µs), so that tokens keep rising after the counter was lost. A client's floor covers a server
-- whose clock stepped back too; one more than an hour ahead is a broken client's and does not count. Bases are 16 digits
-- and stay text, which compares alike: making numbers of them and text again costs as much as the commands.
local function next_fence(counter, floor)
  local time = redis.call('TIME')
  local base = time[1] .. string.sub('00000' .. time[2], -6)
  if #floor == #base and floor >= base and floor - base <= 3600000000 then
    base = string.format('%.0f', floor + 1)
  end
  local last = redis.call('SET', counter, base, 'GET')
  if last and (#last ~= #base or last >= base) and (tonumber(last) or 0) >= tonumber(base) then
    base = string.format('%.0f', last + 1)
    redis.call('SET', counter, base)
  end
  return base
end

-- The longest life a value, or token, of ours may give its key; nil for a value of another library.
local function longest_life(value)
  local id, most = string.match(value, '^([%w_-]+)%.(%d+)~')
  return id and #id == 34 and tonumber(most) or nil
end

-- How long another's lock still lives. One of ours never outlives the longest TTL its value names: more means that the
-- server's clock stepped back (or a PERSIST), and is cut down. Foreign locks are left alone, also those without a TTL.
local function time_left(lock, value)
  local left, most = redis.call('PTTL', lock), longest_life(value)
  if most and (left == -1 or left > most) then
    redis.call('PEXPIRE', lock, most)
    left = most
  end
  return left
end

-- Lists a waiter, once, by time of arrival. Without memory it goes unlisted: busy is still the true answer.
local function join(queue, token)
  redis.pcall('ZADD', queue, 'NX', server_micros(), token)
  redis.pcall('PEXPIRE', queue, 60000)
end
