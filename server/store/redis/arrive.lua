-- Note where a player is connected; where before, if anywhere.
-- KEYS: where. ARGV: where now, seconds for which it is known.
local before = redis.call('GET', KEYS[1])
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return before
