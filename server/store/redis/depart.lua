-- Forget where a player is connected, unless it is elsewhere by now.
-- KEYS: where. ARGV: where it was.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
