-- Keep which room a message opens or joins, unless one is kept already; the one that is kept.
-- KEYS: the message. ARGV: the code, the code that no longer counts, seconds for which it is kept.
local kept = redis.call('GET', KEYS[1])
if kept and kept ~= ARGV[2] then
  return kept
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[3])
return ARGV[1]
