-- Shared: put in place of the line that includes it when a script is loaded.

-- max(last + 1, server µs), so that tokens keep rising after the counter was lost. A client's floor covers a server
-- whose clock stepped back too; one more than an hour ahead is a broken client's and does not count. Bases are 16 digits
-- and stay text, which compares alike: making numbers of them and text again costs as much as the commands.
local time -- the server's, from when it is first needed: one instant is enough for all a script does
local function next_fence(counter, floor)
  time = time or redis.call('TIME')
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
