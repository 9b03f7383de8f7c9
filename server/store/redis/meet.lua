-- Name the lobby in which all meet who look for one of its kind at this moment, unless one is named; the one that is.
-- KEYS: lobbies of that kind. ARGV: a code, the code that no longer counts, seconds for which the name is kept.
local named = redis.call('GET', KEYS[1])
if named and named ~= ARGV[2] then
  return named
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[3])
return ARGV[1]
