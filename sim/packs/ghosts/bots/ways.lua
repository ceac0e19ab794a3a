-- How far it is through the maze, from one tile or from the nearest of several.

local maze = require("scripts/maze")

local M = {}

function M.index(column, row)
  return row * maze.columns + column
end

-- Calls visit(index, distance, first) for each tile, near to far, while it
-- returns true; `first` is the way that one sets out by. A tile for which it
-- returns false isn't gone on from.
function M.flood(starts, visit)
  local columns, rows, distances, firsts, seen = {}, {}, {}, {}, {}
  local count = 0
  local function add(column, row, distance, first)
    local index = M.index(column, row)
    if seen[index] then return end
    seen[index] = true
    if not visit(index, distance, first) then return end
    count = count + 1
    columns[count], rows[count], distances[count], firsts[count] = column, row, distance, first
  end
  for _, start in ipairs(starts) do
    add(start.column, start.row, 0, nil)
  end
  local next = 1
  while next <= count do
    local column, row = columns[next], rows[next]
    for _, way in ipairs(maze.ways) do
      if maze.has_way(column, row, way) then
        add(column + maze.across[way], row + maze.along[way], distances[next] + 1, firsts[next] or way)
      end
    end
    next = next + 1
  end
end

function M.tile_of(object)
  local column, row = maze.tile(view.position(object))
  return { column = column, row = row }
end

return M
