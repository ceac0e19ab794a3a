-- Starts timers, draws from streams and keeps texts, all without end.

local function fill(f)
  local i = 0
  while true do
    i = i + 1
    f("n" .. i)
  end
end

return {
  spawn = function() fill(function(name) timer.start(name, "rung", 5) end) end,
  update = function() fill(function(name) own.set("life.sum", world.random(name)) end) end,
}
