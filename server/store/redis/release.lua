-- Give a room up. Its epoch stays, so that the next one is higher.
-- KEYS: owner. ARGV: the caller's incarnation.
if redis.call('HGET', KEYS[1], 'n') == ARGV[1] then
  redis.call('HSET', KEYS[1], 'n', '')
  return 1
end
return 0
