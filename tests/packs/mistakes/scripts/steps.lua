-- Goes from state to state, and fails in one of their parts.

local function may_fail(where)
  return function()
    own.set("life.sum", world.random())
    if own.get("life.sum") < 0.15 then error("in " .. where) end
  end
end

return {
  initial = "rest",
  states = {
    rest = {
      enter = may_fail("enter"),
      steps = { { wait = function() return world.random_integer(0, 3) end } },
      next = "walk",
    },
    walk = {
      steps = {
        { move_to = function() return vector(world.random(), 1, 0) end, speed = 5 },
        { call = may_fail("a call") },
      },
      finished = function() state.go_to(world.random() < 0.9 and "rest" or "around") end,
      exit = may_fail("exit"),
    },
    around = { enter = function() state.go_to("around") end },
  },
}
