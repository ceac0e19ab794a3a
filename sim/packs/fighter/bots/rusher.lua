-- Walks in, pokes, goes on with a chain when a poke lands, and throws who blocks.

local pad = require("bots/pad")

local M = {}

local function meets_fireball(seen)
  if seen.threat < 1.2 and bot.random() < 0.5 then return "4" end
  if seen.threat < 1.9 then return "9" end
  return "6"
end

local function pokes(seen)
  local dice = bot.random()
  if seen.foe_stance == "block" and dice < 0.5 and seen.gap < 1.2 then return "6t 5" end
  if dice < 0.45 then return "5l 5 5 5l 5 5 5 5h 5" end
  if dice < 0.6 then return "2l 2 2 2l 2" end
  if dice < 0.75 then return "5h 5 2 3 6 6l 5" end
  if dice < 0.88 then return "2h 2" end
  return "6t 5"
end

function M.decide()
  local seen = pad.look()
  if pad.goes_on(seen.facing) then return end
  local boldness = bot.number("boldness")
  if seen.threat and seen.stance ~= "air" then
    pad.do_word(seen.facing, meets_fireball(seen))
  elseif seen.stance == "air" then
    pad.do_word(seen.facing, seen.gap < 1.3 and "6h" or "6")
  elseif seen.gap > 1.7 and seen.gap < 2.6 and bot.random() < 0.08 then
    pad.plan(seen.facing, "9 9")
  elseif seen.gap > 1.4 then
    pad.do_word(seen.facing, "6")
  elseif seen.foe_phase ~= "none" and bot.random() > boldness then
    pad.plan(seen.facing, bot.random() < 0.5 and "1 1 1 1" or "4 4 4 4")
  elseif seen.foe_stance == "down" then
    pad.do_word(seen.facing, seen.gap < 1 and "4" or "5")
  else
    pad.plan(seen.facing, pokes(seen))
  end
end

return M
