-- Put a value in the place of another, if that is there. An empty one is none.
-- KEYS: where. ARGV: what is there, what is to be there.
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
