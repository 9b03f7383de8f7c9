-- Take an open room, unless it has changed hands since the caller looked.
-- KEYS: owner, log.
-- ARGV: the caller's incarnation; owner and epoch as the caller saw them; Unix time in whole seconds.
-- Gives NONE, HELD and the owner, or TAKEN, the new epoch and the number of the newest step.
local held = redis.call('HMGET', KEYS[1], 'n', 'e')
local owner, epoch = held[1] or '', held[2] or '0'
local newest = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
if not newest or newest[2][#newest[2] - 1] == 'x' then
  return {'NONE'}
end
if owner ~= ARGV[2] or epoch ~= ARGV[3] then
  return {'HELD', owner}
end
-- The log too: a failover may have lost what was given out last.
local given_out = math.max(tonumber(epoch), tonumber(newest[2][2]))
local taken = string.format('%.0f', math.max(given_out + 1, tonumber(ARGV[4])))
redis.call('HSET', KEYS[1], 'n', ARGV[1], 'e', taken)
return {'TAKEN', taken, string.match(newest[1], '^%d+')}
