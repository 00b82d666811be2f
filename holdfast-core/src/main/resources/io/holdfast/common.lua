-- Shared: put in place of the line that includes it when a script is loaded.
-- A value is <22 random><12 instance>.<max ttl>~host/pid, with #<fence base> behind it when the grant is fenced.

local function is_mine(value, token)
  return value == token or string.sub(value, 1, #token + 1) == token .. '#'
end

local function server_micros(known)
  local time = known or redis.call('TIME')
  return time[1] * 1000000 + time[2]
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
