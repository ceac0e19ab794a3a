-- Fetches silver from the cellar and brings it to the gate. It gives way to a
-- guard that walks towards it, and goes on once that one looks elsewhere.

local M = {}

-- A corner of each room.
local corners = { vector(2, 0, 11), vector(2, 0, 2), vector(14, 0, 2), vector(21, 0, 11) }

local function go(place)
  local x, z = math.floor(place.x), math.floor(place.z)
  local goal = vector(x, 0, z)
  if memory.vector("goal") == goal and view.tick() < memory.number("again") then return end
  memory.set_vector("goal", goal)
  memory.set_number("again", view.tick() + bot.number("patience_ticks"))
  act.command("sneak")
  act.give_integer("x", x)
  act.give_integer("z", z)
end

-- The nearest guard that is near enough to fear and walks towards a place.
local function threat(here)
  local nearest, least
  for index = 1, view.count("guard") do
    local guard = view.object("guard", index)
    local place = view.position(guard)
    local key = "guard_" .. index
    local way = place - (memory.vector(key) or place)
    memory.set_vector(key, place)
    local to_here = here - place
    local away = to_here:length()
    local is_ahead = way:length() > 0 and way:normalized():dot(to_here) > bot.number("ahead") * away
    if is_ahead and away < bot.number("fear_m") and (not least or away < least) then
      nearest, least = place, away
    end
  end
  return nearest
end

-- Of the corners the one that is farthest from the guard, for its way from here.
local function refuge(here, guard)
  local best, best_worth
  for _, corner in ipairs(corners) do
    local worth = (guard - corner):length() - (here - corner):length()
    if not best or worth > best_worth then best, best_worth = corner, worth end
  end
  return best
end

function M.decide()
  local me = view.find("thief")
  if not me then return end
  local here = view.position(me)
  local guard = threat(here)
  if guard then
    go(refuge(here, guard))
    memory.set_number("hides_until", view.tick() + bot.number("patience_ticks"))
  elseif view.tick() >= (memory.number("hides_until") or 0) then
    go(view.position(view.find(view.integer(me, "sack.silver") == 1 and "entrance" or "silver")))
  end
  if bot.random() < bot.number("mischief") then act.command("whistle") end
end

return M
