-- The maze, and what lies beside what in it. A tile is a column and a row from
-- 0, one metre wide; its middle is half a metre in.

local M = {}

-- #: wall, .: crumb, *: charm, -: the pen's door, p: pen. Ghosts alone go
-- through the door, as navigators of the grid that the pack has.
M.rows = {
  "###################",
  "#.....#.....#.....#",
  "#*###.#.###.#.###*#",
  "#.#   ..###..   #.#",
  "#.#.###.###.###.#.#",
  "#...#         #...#",
  "###.# ###-### #.###",
  "#     #ppppp#     #",
  "#.### ####### ###.#",
  "#   #         #   #",
  "###.# ##.#.## #.###",
  "#.....#..#..#.....#",
  "#.###.#.###.#.###.#",
  "#.#... ..... ...#.#",
  "#.#.#.##.#.##.#.#.#",
  "#*..#....#....#..*#",
  "###################",
}
M.columns = #M.rows[1]
M.row_count = #M.rows

-- Of equally good ways the first of these is taken.
M.ways = { "up", "left", "down", "right" }
M.across = { up = 0, left = -1, down = 0, right = 1 } -- columns
M.along = { up = -1, left = 0, down = 1, right = 0 } -- rows
M.back = { up = "down", left = "right", down = "up", right = "left" }

M.pen = vector(9.5, 0, 7.5)
M.gate = vector(9.5, 0, 5.5) -- in front of the pen's door

local function is_open(column, row)
  local line = M.rows[row + 1]
  if not line or column < 0 then return false end
  local tile = line:sub(column + 1, column + 1)
  return tile == "." or tile == "*" or tile == " "
end

-- open[row][column], both from 0: whether one can go there.
M.open = {}
for row = 0, M.row_count - 1 do
  M.open[row] = {}
  for column = 0, M.columns - 1 do
    M.open[row][column] = is_open(column, row)
  end
end

function M.has_way(column, row, way)
  return M.open[row + M.along[way]][column + M.across[way]]
end

function M.centre(column, row)
  return vector(column + 0.5, 0, row + 0.5)
end

-- Of a place.
function M.tile(place)
  return math.floor(place.x), math.floor(place.z)
end

-- So much of the way to the next tile, from 0 to 1.
function M.between(column, row, way, part)
  return M.centre(column, row) + vector(M.across[way], 0, M.along[way]) * part
end

return M
