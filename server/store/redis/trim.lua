-- Remove the steps of an open room that are needed neither from step ARGV[1] on nor by load.lua, whose ARGV[1] is here
-- ARGV[2].
-- KEYS: log, checkpoints.
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not newest or newest[2][#newest[2] - 1] == 'x' then
  return 0
end
local latest = tonumber(string.match(newest[1], '^%d+')) - tonumber(ARGV[2])
latest = math.min(latest, tonumber(ARGV[1]))
local start = redis.call('ZREVRANGEBYSCORE', KEYS[2], latest, '-inf', 'LIMIT', 0, 1)[1]
if not start then
  return 0
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', '(' .. start)
return redis.call('XTRIM', KEYS[1], 'MINID', start .. '-0')
