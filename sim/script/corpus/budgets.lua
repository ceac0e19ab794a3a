return {a = function() while true do pcall(error) end end,
  b = function() return ("x"):rep(1 << 20) end,
  c = function() local function f() return f() + 1 end return f() end,
  d = function() return ("a"):rep(99):find(("a*"):rep(9) .. "b") end,
  e = function() local t = {} for i = 1, 1e9 do t[i] = t end end}
