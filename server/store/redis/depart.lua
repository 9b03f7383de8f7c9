-- Forget where a player is connected, unless it is elsewhere by now.
-- KEYS: where. ARGV: where it was.
local noted = redis.call('GET', KEYS[1])
if noted and string.match(noted, '^(.*) %d+$') == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
