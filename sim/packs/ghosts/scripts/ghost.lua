-- A ghost goes from tile to tile, never back, and at each takes the way that
-- brings it nearest to its target in a straight line. Which target that is
-- follows from its state and its role. Out of the pen and back to it, it finds
-- its way as a navigator.

local maze = require("scripts/maze")
local targets = require("scripts/targets")

local M = {
  help = "scatters, chases, flees and comes back, by its role",
  reads_others = true,
  parameters = {
    speed = { default = 5.0, minimum = 0, maximum = 30, unit = "m/s", help = "from tile to tile" },
    fear_speed = { default = 2.5, minimum = 0, maximum = 30, unit = "m/s", help = "while it flees" },
    fear_range = { default = 6, minimum = 0, maximum = 100, unit = "m", help = "within which it flees from the runner" },
  },
  initial = "waiting",
}

local function referee()
  return world.find("referee")
end

local function is_playing()
  return other.get(referee(), "match.stage") == "play"
end

local function aim_at(column, row)
  own.set("ghost.target_column", column)
  own.set("ghost.target_row", row)
end

-- Squared, in tiles, from the next tile that way.
local function distance_by(column, row, way)
  local across = column + maze.across[way] - own.get("ghost.target_column")
  local along = row + maze.along[way] - own.get("ghost.target_row")
  return across * across + along * along
end

local function nearest_way(column, row, ways)
  local best, best_distance
  for _, way in ipairs(ways) do
    local distance = distance_by(column, row, way)
    if not best or distance < best_distance then best, best_distance = way, distance end
  end
  return best
end

-- Close to the runner the way that leads away from it the straightest, from
-- afar any.
local function way_out(_, _, ways)
  local runner = other.position(world.find("runner"))
  if (runner - own.position()):length() > parameter.get("fear_range") then
    return ways[world.random_integer(1, #ways)]
  end
  local flight = steering.flee(runner, 1)
  local best, best_share
  for _, way in ipairs(ways) do
    local share = flight:dot(vector(maze.across[way], 0, maze.along[way]))
    if not best or share > best_share then best, best_share = way, share end
  end
  return best
end

-- At a tile's middle.
local function turn(column, row, choose)
  local back = maze.back[own.get("walker.way")]
  if own.get("ghost.turns_back") then
    own.set("ghost.turns_back", false)
    if maze.has_way(column, row, back) then return back end
  end
  local ways = {}
  for _, way in ipairs(maze.ways) do
    if way ~= back and maze.has_way(column, row, way) then ways[#ways + 1] = way end
  end
  if #ways == 0 then return back end
  return choose(column, row, ways)
end

local function walk(speed, choose)
  local column, row = own.get("walker.column"), own.get("walker.row")
  local way = own.get("walker.way")
  local part = own.get("walker.part") + speed * world.step()
  if part >= 1 then
    column, row, part = column + maze.across[way], row + maze.along[way], part - 1
    way = turn(column, row, choose)
    own.set("walker.column", column)
    own.set("walker.row", row)
    own.set("walker.way", way)
  end
  own.set("walker.part", part)
  own.move_to(maze.between(column, row, way, part))
end

-- Stands in the middle of a tile that it came to by other means, and looks to
-- the left if that is a way.
local function stand(place)
  local column, row = maze.tile(place)
  local look = "left"
  for _, way in ipairs(maze.ways) do
    if not maze.has_way(column, row, look) then look = way end
  end
  own.set("walker.column", column)
  own.set("walker.row", row)
  own.set("walker.part", 0)
  own.set("walker.way", look)
  own.set("ghost.turns_back", false)
end

local function set_out(place)
  event.give("x", place.x)
  event.give("z", place.z)
  event.post("navigate", own.handle())
end

local function follow(mode)
  if mode == "scatter" then state.go_to("scatter") else state.go_to("chase") end
end

local function follow_referee()
  follow(other.get(referee(), "match.mode"))
end

local function change_mode()
  own.set("ghost.turns_back", true)
  follow(event.get("mode"))
end

local function is_outside(place)
  local column, row = maze.tile(place)
  return maze.open[row][column]
end

local function start_waiting()
  local home = own.get("walker.home")
  own.move_to(home)
  stand(home)
end

function M.spawn()
  start_waiting()
end

M.on = {
  -- A way that it was on is over: it has one to where it is.
  round_begins = function()
    start_waiting()
    if own.get("navigator.is_active") ~= 0 then set_out(own.get("walker.home")) end
    state.go_to("waiting")
  end,
}

local function take_fright()
  own.set("ghost.turns_back", true)
  state.go_to("frightened")
end

M.states = {
  waiting = {
    steps = {
      { wait_until = is_playing },
      { wait = function() return own.get("ghost.wait") end },
      { wait_until = function() return own.get("navigator.is_active") == 0 end },
    },
    finished = function()
      if is_outside(own.get("walker.home")) then
        follow_referee()
      else
        state.go_to("leaving")
      end
    end,
  },
  leaving = {
    enter = function() set_out(maze.gate) end,
    on = {
      path_arrived = function()
        stand(maze.gate)
        follow_referee()
      end,
    },
  },
  scatter = {
    update = function()
      if not is_playing() then return end
      aim_at(targets.corner())
      walk(parameter.get("speed"), nearest_way)
    end,
    on = {
      charm_taken = take_fright,
      mode_changes = change_mode,
    },
  },
  chase = {
    update = function()
      if not is_playing() then return end
      aim_at(targets[own.get("ghost.role")]())
      walk(parameter.get("speed"), nearest_way)
    end,
    on = {
      charm_taken = take_fright,
      mode_changes = change_mode,
    },
  },
  frightened = {
    update = function()
      if is_playing() then walk(parameter.get("fear_speed"), way_out) end
    end,
    on = {
      fear_ends = follow_referee,
      caught = function() state.go_to("returning") end,
    },
  },
  returning = {
    enter = function() set_out(maze.pen) end,
    on = {
      path_arrived = function()
        stand(maze.pen)
        state.go_to("leaving")
      end,
    },
  },
}

return M
