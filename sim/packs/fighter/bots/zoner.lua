-- Keeps away, throws fireballs, blocks what comes near, and meets jumps with
-- uppercuts.

local pad = require("bots/pad")

local M = {}

local function far_off(seen)
  if seen.has_shot and bot.random() < 0.25 then return "2 3 6 6l 5 5" end
  return bot.random() < 0.5 and "4 4" or "5 5"
end

local function close_by(seen)
  local dice = bot.random()
  if dice < 0.3 then return "2h 2" end
  if dice < 0.5 then return "5h 5" end
  if dice < 0.7 then return "2l 2 2 2 3 6 6l 5" end
  if dice < 0.85 then return "7 7 4" end
  return "6t 5"
end

function M.decide()
  local seen = pad.look()
  if pad.goes_on(seen.facing) then return end
  local care = bot.number("care")
  if seen.foe_height > 0.4 and seen.foe_stance ~= "hit" and seen.gap < 1.9 and bot.random() < care then
    pad.plan(seen.facing, "6 2 3 3h 5")
  elseif seen.threat and seen.threat < 1.5 then
    pad.do_word(seen.facing, "4")
  elseif seen.foe_phase ~= "none" and seen.gap < 2 and bot.random() < care then
    pad.plan(seen.facing, bot.random() < 0.7 and "1 1 1" or "4 4 4")
  elseif seen.gap > 2.6 then
    pad.plan(seen.facing, far_off(seen))
  elseif seen.gap > 1.5 then
    pad.do_word(seen.facing, bot.random() < 0.6 and "4" or "5")
  else
    pad.plan(seen.facing, close_by(seen))
  end
end

return M
