-- Note which record is the last one of a room, if the room is open.
-- KEYS: log, last record. ARGV: the record's id.
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if newest and newest[2][#newest[2] - 1] ~= 'x' then
  redis.call('SET', KEYS[2], ARGV[1])
end
