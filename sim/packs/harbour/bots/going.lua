-- How to walk to somewhere with two axes.

local M = {}

-- The axes that lead from one place to another: full ones, but for the last
-- step.
function M.towards(from, to)
  local way = vector(to.x - from.x, 0, to.z - from.z)
  if way:length() > 1 then way = way:normalized() end
  return way.x, way.z
end

return M
