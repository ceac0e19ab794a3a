-- A bell swings for a while when it is struck, and not anew while it swings.

local function swing()
  local part = state.ticks() / 40
  own.move_to(own.position(), vector(0, 0, 0.6 * math.sin(part * 4 * math.pi) * (1 - part)))
end

return {
  help = "rings when it is struck",
  initial = "still",
  states = {
    still = {
      on = { strike = function() state.go_to("swinging") end },
    },
    swinging = {
      enter = function()
        own.set("bell.strikes", own.get("bell.strikes") + 1)
        event.give("times", own.get("bell.strikes"))
        event.post("struck")
      end,
      update = swing,
      steps = { { wait = 40 } },
      next = "still",
      exit = function() own.move_to(own.position(), vector(0, 0, 0)) end,
      on = { strike = false },
    },
  },
}
