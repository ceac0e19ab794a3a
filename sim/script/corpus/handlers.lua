local speed = 3
local M = {}
function M.update(n)
  local t = {}
  for i = 1, n do t["k" .. i] = vector(i, speed, 0) end
  for k, v in pairs(t) do world.push(v, 1) end
  return height()
end
function M.enter() M.x = 1 end
function M.text() return (("a b c"):gsub("(%a) (%a)", "%2 %1")) end
return M
