-- The end of an open room's log, from the last checkpoint on that has ARGV[1] steps after it, or from its beginning.
-- KEYS: log, checkpoints.
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not newest or newest[2][#newest[2] - 1] == 'x' then
  return {}
end
local latest = tonumber(string.match(newest[1], '^%d+')) - tonumber(ARGV[1])
local start = redis.call('ZREVRANGEBYSCORE', KEYS[2], latest, '-inf', 'LIMIT', 0, 1)[1]
return redis.call('XRANGE', KEYS[1], start or '-', '+')
