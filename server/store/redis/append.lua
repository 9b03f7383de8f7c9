-- Append steps to the log of one room, as far as the writer has the room and they are next in it.
-- KEYS: owner, log, checkpoints, last record.
-- ARGV: the writer's incarnation, seconds for which a closed room is kept, then for each step its number, the count
-- of the strings of its entry, and these: e EPOCH p PAYLOAD [k CHECKPOINT] [x 1].
-- Gives one outcome a step. After one that is refused all are: they were decided on it.
local own, log, checkpoints, last = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local me, keep = ARGV[1], ARGV[2]

local function has_end(entry)
  return entry[#entry - 1] == 'x'
end

local function same(one, other)
  if #one ~= #other then
    return false
  end
  for place = 1, #one do
    if one[place] ~= other[place] then
      return false
    end
  end
  return true
end

local held = redis.call('HMGET', own, 'n', 'e')
local owner, epoch = held[1], tonumber(held[2] or 0)
local newest = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
local head = newest and tonumber(string.match(newest[1], '^%d+')) or 0
local closed = newest ~= nil and has_end(newest[2])

local function stands_there(seq, entry)
  if seq < 1 or seq > head then
    return false
  end
  local id = string.format('%.0f-0', seq)
  local found = redis.call('XRANGE', log, id, id)[1]
  return found ~= nil and same(found[2], entry)
end

local function write(seq, entry)
  local written_under = tonumber(entry[2])
  if head == 0 or written_under > epoch then
    redis.call('HSET', own, 'n', me, 'e', entry[2])
    owner, epoch = me, written_under
  end
  redis.call('XADD', log, string.format('%.0f-0', seq), unpack(entry))
  if entry[5] == 'k' then
    redis.call('ZADD', checkpoints, seq, seq)
  end
  head = seq
  if has_end(entry) then
    closed = true
    redis.call('DEL', last)
    for _, key in ipairs({own, log, checkpoints}) do
      redis.call('EXPIRE', key, keep)
    end
  end
end

local function append(seq, entry)
  if stands_there(seq, entry) then
    return 'ALREADY_THERE'
  end
  if head > 0 and (owner ~= me or tonumber(entry[2]) < epoch) then
    return 'FENCED'
  end
  if closed or seq ~= head + 1 then
    return 'CONFLICT'
  end
  write(seq, entry)
  return 'WRITTEN'
end

local outcomes, refused = {}, nil
local place = 3
while ARGV[place] do
  local seq, size = tonumber(ARGV[place]), tonumber(ARGV[place + 1])
  local outcome = refused or append(seq, {unpack(ARGV, place + 2, place + 1 + size)})
  if outcome == 'FENCED' or outcome == 'CONFLICT' then
    refused = outcome
  end
  outcomes[#outcomes + 1] = outcome
  place = place + 2 + size
end
return outcomes
