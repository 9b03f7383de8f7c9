-- Note where a player is connected, and since when. Gives what was noted before, if anything, and since when now.
-- KEYS: where. ARGV: where now, seconds for which it is known.
local before = redis.call('GET', KEYS[1])
local time = redis.call('TIME')
local since = time[1] * 1000000 + time[2]
local known = before and tonumber(string.match(before, ' (%d+)$'))
if known and known >= since then  -- by another server, whose clock was ahead
  since = known + 1
end
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. string.format('%.0f', since), 'EX', ARGV[2])
return {before, since}
