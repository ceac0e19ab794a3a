-- Weighs each place for each squad: what it is worth, how far it is, who of both
-- sides stands near it, and who of its own is on the way. The strongest squad
-- chooses first.

local field = require("bots/field")

local M = {}

local function strength_near(squads, place)
  local sum = 0
  for _, squad in ipairs(squads) do
    if (squad.place - place):length() < 9 then sum = sum + squad.strength end
  end
  return sum
end

local function places()
  local side, found = field.side(), {}
  for _, name in ipairs(field.wells) do
    local owner = view.text(view.find(name), "well.owner")
    found[#found + 1] = { place = field.place(name), worth = owner == side and 0.6 or owner == "nobody" and 1 or 1.3, sent = 0 }
  end
  found[#found + 1] = { place = field.place("castle_" .. field.foe()), worth = 1.6, sent = 0, defended = 0.5 }
  found[#found + 1] = { place = field.place("castle_" .. side), worth = 0.2, sent = 0, home = true }
  return found
end

local function worth_of(squad, goal, theirs)
  local foes = strength_near(theirs, goal.place) + (goal.defended or 0)
  local ours = squad.strength + goal.sent
  local worth = goal.worth
  if goal.home then worth = worth + 2 * strength_near(theirs, goal.place) end
  local odds = ours / (ours + foes + 0.01)
  return worth * odds / (1 + (squad.place - goal.place):length() / 20) / (1 + (foes == 0 and 2 * goal.sent or 0))
end

function M.decide()
  local mine, theirs = field.squads(field.side()), field.squads(field.foe())
  if #mine == 0 then return end
  local goals = places()
  table.sort(mine, function(a, b)
    if a.strength ~= b.strength then return a.strength > b.strength end
    return a.number < b.number
  end)
  for _, squad in ipairs(mine) do
    local best, best_worth
    for _, goal in ipairs(goals) do
      local worth = worth_of(squad, goal, theirs)
      if not best or worth > best_worth then best, best_worth = goal, worth end
    end
    best.sent = best.sent + squad.strength
    field.send(squad, best.place)
  end
  if view.tick() % 240 < 30 then field.muster(field.weakest(mine).number) end
end

return M
