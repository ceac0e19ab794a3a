local meta = {__index = function(t, k) return k end, __call = pcall,
  __lt = function(a, b) return true end, __concat = function() return "x" end}
local a = setmetatable({}, meta)
return {f = function() return a.b .. a, a < a end,
  g = function() return select("#", a(error)) end,
  h = function() table.sort({3, 1, 2, a, a}, meta.__lt) end}
