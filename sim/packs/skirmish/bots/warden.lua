-- A squad at each well and one between, until it is so much stronger than the
-- other that all can strike at the castle. New units join the weakest.

local field = require("bots/field")

local M = {}

local function is_stronger(mine, theirs)
  return field.strength(mine) > bot.number("odds") * field.strength(theirs)
end

function M.decide()
  local mine, theirs = field.squads(field.side()), field.squads(field.foe())
  if #mine == 0 then return end
  local castle = field.place("castle_" .. field.foe())
  local strikes = is_stronger(mine, theirs)
  for _, squad in ipairs(mine) do
    field.send(squad, strikes and castle or field.place(field.wells[squad.number + 1] or "well_middle"))
  end
  if view.tick() % 240 < 30 then field.muster(field.weakest(mine).number) end
end

return M
