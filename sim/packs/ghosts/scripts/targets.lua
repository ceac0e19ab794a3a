-- The tile that each ghost makes for while it chases: this alone makes their
-- four characters. Tiles may lie in walls, and outside of the maze.

local maze = require("scripts/maze")

local M = {}

local near = 8 -- tiles, within which the loner loses heart

local function runner_tile()
  return maze.tile(other.position_now(world.find("runner")))
end

local function ahead_of_runner(tiles)
  local column, row = runner_tile()
  local way = other.now(world.find("runner"), "walker.way")
  return column + tiles * maze.across[way], row + tiles * maze.along[way]
end

function M.corner()
  return maze.tile(own.get("ghost.corner"))
end

-- Where the runner is.
M.chaser = runner_tile

-- Where the runner will be.
function M.ambusher()
  return ahead_of_runner(4)
end

-- As far beyond the place before the runner as the chaser is on this side of
-- it, so that both close in.
function M.flanker()
  local column, row = ahead_of_runner(2)
  local from_column, from_row = maze.tile(other.position_now(world.find("chaser")))
  return 2 * column - from_column, 2 * row - from_row
end

-- Where the runner is; close by, its own corner.
function M.loner()
  local column, row = runner_tile()
  local own_column, own_row = maze.tile(own.position())
  local across, along = column - own_column, row - own_row
  if across * across + along * along > near * near then return column, row end
  return M.corner()
end

return M
