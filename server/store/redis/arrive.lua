-- Note where a player is connected; where before, if anywhere, and the time in microseconds.
-- KEYS: where. ARGV: where now, seconds for which it is known.
local before = redis.call('GET', KEYS[1])
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
local now = redis.call('TIME')
return {before, now[1] * 1000000 + now[2]}
