-- What bots know of the field, from the side that they play.

local M = {}

local sides = { "west", "east" }
M.wells = { "well_north", "well_middle", "well_south" }

function M.side() return sides[view.player() + 1] end

function M.foe() return sides[2 - view.player()] end

function M.place(name) return view.position(view.find(name)) end

-- The squads of a side, those with units alone.
function M.squads(side)
  local squads = {}
  for number = 0, 3 do
    local squad = view.find(side .. "_" .. number)
    if squad and view.integer(squad, "squad.count") > 0 then
      squads[#squads + 1] = {
        number = number,
        place = view.position(squad),
        strength = view.number(squad, "squad.strength"),
        mood = view.text(squad, "squad.mood"),
        order = view.vector(squad, "squad.order"),
      }
    end
  end
  return squads
end

function M.strength(squads)
  local sum = 0
  for _, squad in ipairs(squads) do sum = sum + squad.strength end
  return sum
end

-- Sends a squad to a place, unless that is its order already.
function M.send(squad, place)
  local x, z = math.floor(place.x), math.floor(place.z)
  if math.floor(squad.order.x) == x and math.floor(squad.order.z) == z then return end
  act.command("order")
  act.give_integer("squad", squad.number)
  act.give_integer("x", x)
  act.give_integer("z", z)
end

-- New units join the squad.
function M.muster(number)
  if memory.number("musters") == number then return end
  memory.set_number("musters", number)
  act.command("muster")
  act.give_integer("squad", number)
end

function M.weakest(squads)
  local weakest
  for _, squad in ipairs(squads) do
    if not weakest or squad.strength < weakest.strength then weakest = squad end
  end
  return weakest
end

return M
