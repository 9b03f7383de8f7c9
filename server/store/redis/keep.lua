-- Keep which room a message of a player opens or joins, unless one is kept already; the one that is kept.
-- KEYS: the player's messages. ARGV: the message's id, the code, the code that no longer counts, how many messages are
-- kept and for how many seconds.
for _, kept in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  local code, id = string.match(kept, '^(%S+) (.*)$')
  if id == ARGV[1] then
    if code ~= ARGV[3] then
      return code
    end
    redis.call('LREM', KEYS[1], 1, kept)
  end
end
redis.call('LPUSH', KEYS[1], ARGV[2] .. ' ' .. ARGV[1])
redis.call('LTRIM', KEYS[1], 0, ARGV[4] - 1)
redis.call('EXPIRE', KEYS[1], ARGV[5])
return ARGV[2]
