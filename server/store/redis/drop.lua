-- Forget a closed room before the time for which it is kept is over.
-- KEYS: owner, log, checkpoints.
local newest = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
if not newest or newest[2][#newest[2] - 1] ~= 'x' then
  return 0
end
return redis.call('DEL', unpack(KEYS))
