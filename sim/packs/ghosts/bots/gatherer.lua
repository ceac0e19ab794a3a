-- Goes for the nearest crumb that it reaches `care` steps before any ghost
-- could, for frightened ghosts up to `hunger` steps away, and runs where there
-- is nothing of the kind.

local maze = require("scripts/maze")
local ways = require("bots/ways")

local M = {}

local dangerous = { scatter = true, chase = true, leaving = true }

local function look_at_ghosts()
  local hunters, prey = {}, {}
  for i = 1, view.count("ghost") do
    local ghost = view.object("ghost", i)
    local mood = view.text(ghost, "script.state")
    local tile = ways.tile_of(ghost)
    if dangerous[mood] then
      hunters[#hunters + 1] = tile
    elseif mood == "frightened" then
      prey[ways.index(tile.column, tile.row)] = true
    end
  end
  return hunters, prey
end

-- Steps of the nearest hunter to each tile.
local function dangers(hunters)
  local steps = {}
  ways.flood(hunters, function(index, distance)
    steps[index] = distance
    return true
  end)
  return steps
end

local function crumbs()
  local there = {}
  for i = 1, view.count("crumb") do
    local tile = ways.tile_of(view.object("crumb", i))
    there[ways.index(tile.column, tile.row)] = true
  end
  return there
end

local function way_to_goal(start, danger, prey)
  local care, hunger = bot.number("care"), bot.number("hunger")
  local food = crumbs()
  local found
  ways.flood({ start }, function(index, distance, first)
    if found then return false end
    local hunter = danger[index]
    if hunter and hunter < distance + care then return distance == 0 end
    if first and (food[index] or prey[index] and distance <= hunger) then found = first end
    return true
  end)
  return found
end

local function way_from_danger(start, danger)
  local best, best_steps
  for _, way in ipairs(maze.ways) do
    if maze.has_way(start.column, start.row, way) then
      local index = ways.index(start.column + maze.across[way], start.row + maze.along[way])
      local steps = danger[index] or 1000
      if not best or steps > best_steps then best, best_steps = way, steps end
    end
  end
  return best
end

function M.decide()
  local me = view.find("runner")
  if not me then return end
  local start = ways.tile_of(me)
  local hunters, prey = look_at_ghosts()
  local danger = dangers(hunters)
  local way = way_to_goal(start, danger, prey) or way_from_danger(start, danger)
  act.release_all()
  if way then act.press(way) end
end

return M
