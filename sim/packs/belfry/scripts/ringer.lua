-- The ringer walks to each bell, waits for breath and pulls its rope. Called
-- off, he goes back and begins anew.

local M = {
  help = "walks from bell to bell and rings them",
  reads_others = true,
  parameters = {
    speed = { default = 3.0, minimum = 0.1, maximum = 20, unit = "m/s", help = "on foot" },
  },
}

local function bell()
  return world.find("bell_" .. own.get("ringer.bell"))
end

local function below_bell()
  local at = other.position(bell())
  return vector(at.x, 0, at.z)
end

local function speed()
  return parameter.get("speed")
end

function M.pull()
  event.post("strike", bell())
end

function M.turn()
  local next = own.get("ringer.bell") % 3 + 1
  own.set("ringer.bell", next)
  if next == 1 then
    own.set("ringer.rounds", own.get("ringer.rounds") + 1)
    log.info("made round " .. own.get("ringer.rounds"), "rounds")
    state.go_to("resting")
  end
end

-- In all states but `resting`.
M.on = {
  call_off = function() state.go_to("resting") end,
}

M.initial = "walking"
M.states = {
  walking = {
    steps = {
      { move_to = below_bell, speed = speed },
      { wait = function() return world.random_integer(10, 40) end },
    },
    next = "ringing",
  },
  ringing = {
    steps = {
      { play = "rope", ticks = 30 },
      { call = "pull" },
      { wait = 20 },
      { play = "rope", ticks = 30 },
      { call = "pull" },
      { call = "turn" },
    },
    next = "walking",
  },
  resting = {
    enter = function()
      log.debug("rests")
      own.set("ringer.bell", 1)
    end,
    steps = { { move_to = vector(0, 0, 0), speed = speed }, { wait = 90 } },
    next = "walking",
    on = { call_off = false },
  },
}

return M
