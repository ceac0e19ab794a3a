-- A raven perches until something startles it, flies up, circles until it
-- dares to come back, looks down, and settles where it came from; not while a
-- bell is right below. While it circles it keeps clear of the hawk.

local function up()
  return own.position() + vector(4 * (world.random() - 0.5), 1 + 3 * world.random(), 4 * (world.random() - 0.5))
end

-- From where the hawk would meet it, if that is near.
local function evasion()
  local hawk = world.find("hawk")
  local place = other.position(hawk)
  if (place - own.position()):length() > 4 then return vector(0, 0, 0) end
  return steering.evade(place, other.get(hawk, "hawk.velocity"), 3, 1)
end

local function is_startled()
  if world.random() < 0.6 then state.go_to("fleeing") end
end

local M = {
  help = "perches, and flies when something startles it",
  queries = true,
  reads_others = true,
  initial = "perched",
}

function M.spawn()
  own.set("raven.perch", own.position())
end

-- What is there, it knows a little later.
function M.look_down()
  local here = own.position()
  query.request_ray(here, here - vector(0, 12, 0), 6, "looked_down")
end

M.on = {
  clawed = function() state.go_to("settling") end,
  clap = function() state.go_to("fleeing") end,
}

M.states = {
  perched = {
    on = { struck = is_startled },
  },
  fleeing = {
    enter = function()
      own.set("raven.flights", own.get("raven.flights") + 1)
      event.post("startled")
    end,
    steps = { { move_to = up, speed = 7 } },
    next = "circling",
  },
  circling = {
    update = function()
      local turn = 0.05 * state.ticks()
      local velocity = vector(math.cos(turn), 0, math.sin(turn)) * 4 + evasion()
      own.set("raven.velocity", velocity)
      -- For both ticks until the next update.
      own.move_to(own.position() + velocity * (2 * world.step()))
    end,
    steps = {
      { wait = 60 },
      { wait_until = function() return world.random() < 0.02 end },
    },
    next = "looking",
  },
  looking = {
    steps = { { call = "look_down" }, { wait = 20 } },
    next = "circling",
    on = {
      looked_down = function()
        if not event.get("object") then state.go_to("settling") end
      end,
    },
  },
  settling = {
    steps = { { move_to = function() return own.get("raven.perch") end, speed = 5 } },
    next = "perched",
  },
}

return M
