-- The runner goes where its player last pushed, as soon as there is a way, and
-- straight on until then; it eats what it comes by.

local maze = require("scripts/maze")

local M = {
  help = "goes through the maze as its player pushes, and eats what lies there",
  reads_others = true,
  queries = true,
  parameters = {
    speed = { default = 5.5, minimum = 0, maximum = 30, unit = "m/s", help = "from tile to tile" },
    reach = { default = 0.3, minimum = 0, maximum = 0.5, unit = "m", help = "from its middle to what it eats" },
  },
}

-- The way that was pushed last; once let go, another one that is held.
local function note_wish()
  local wish = own.get("pilot.wish")
  local held
  for _, way in ipairs(maze.ways) do
    if player.presses(0, way) then
      own.set("pilot.wish", way)
      return
    end
    if player.holds(0, way) then held = held or way end
  end
  if held and not player.holds(0, wish) then own.set("pilot.wish", held) end
end

local function stand(column, row)
  own.set("walker.column", column)
  own.set("walker.row", row)
  own.set("walker.part", 0)
end

-- At a tile's middle: which way to go on; nil at a wall.
local function choose(column, row)
  local wish, way = own.get("pilot.wish"), own.get("walker.way")
  if maze.has_way(column, row, wish) then return wish end
  if maze.has_way(column, row, way) then return way end
  return nil
end

-- Between two tiles one can only turn round.
local function turn_round(column, row, way, part)
  own.set("walker.way", maze.back[way])
  return column + maze.across[way], row + maze.along[way], maze.back[way], 1 - part
end

local function walk(part_more)
  local column, row = own.get("walker.column"), own.get("walker.row")
  local way, part = own.get("walker.way"), own.get("walker.part")
  if part > 0 and own.get("pilot.wish") == maze.back[way] then
    column, row, way, part = turn_round(column, row, way, part)
  end
  local is_at_middle = part == 0
  part = part + part_more
  if not is_at_middle and part < 1 then
    own.set("walker.column", column)
    own.set("walker.row", row)
    own.set("walker.part", part)
    own.move_to(maze.between(column, row, way, part))
    return
  end
  if not is_at_middle then
    column, row, part = column + maze.across[way], row + maze.along[way], part - 1
  end
  way = choose(column, row)
  if not way then
    stand(column, row)
    own.move_to(maze.centre(column, row))
    return
  end
  stand(column, row)
  own.set("walker.part", part)
  own.set("walker.way", way)
  own.move_to(maze.between(column, row, way, part))
end

local function eat()
  if query.nearest(own.position(), 1, "crumb") == 0 then return end
  if query.distance(1) <= parameter.get("reach") then
    event.post("eaten", query.object(1))
  end
end

function M.update()
  note_wish()
  if other.get(world.find("referee"), "match.stage") ~= "play" then return end
  walk(parameter.get("speed") * world.step())
  eat()
end

local function go_home()
  local home = own.get("walker.home")
  local column, row = maze.tile(home)
  stand(column, row)
  own.set("walker.way", "left")
  own.set("pilot.wish", "left")
  own.move_to(home)
end

function M.spawn()
  go_home()
end

M.on = { round_begins = go_home }

return M
