-- A hawk wanders about the tower. A raven in the air it goes after, where that
-- will be, and startles it from close by; past bells it flies round them.

local M = {
  help = "wanders about the tower, and hunts the ravens that fly",
  queries = true,
  reads_others = true,
  parameters = {
    speed = { default = 6.5, minimum = 0, maximum = 7, unit = "m/s", help = "of its flight" },
    sight = { default = 8.0, minimum = 0, maximum = 100, unit = "m", help = "so far it sees ravens" },
    range = { default = 12.0, minimum = 1, maximum = 1000, unit = "m", help = "so far from the tower it goes" },
    change = { default = 0.5, minimum = 0, maximum = 100, unit = "m/s", help = "of its velocity, at each tick" },
  },
}

local tower = vector(0, 5, 0)

-- The nearest raven that flies, within sight.
local function prey(here)
  for index = 1, query.sphere(here, parameter.get("sight"), "raven") do
    local raven = query.object(index)
    if other.get(raven, "script.state") == "circling" then return raven end
  end
end

local function wander(speed)
  own.set("hawk.angle", own.get("hawk.angle") + 0.4 * world.random() - 0.2)
  return steering.wander(own.get("hawk.velocity"), own.get("hawk.angle"), 3, 2, speed)
end

local function wanted(here, speed)
  local raven = prey(here)
  if raven then
    local place = other.position(raven)
    if (place - here):length() < 0.6 then
      own.set("hawk.catches", own.get("hawk.catches") + 1)
      event.post("clawed", raven)
    end
    return steering.pursue(place, other.get(raven, "raven.velocity"), speed, 2)
  end
  local home = tower - here
  if home:length() > parameter.get("range") then return steering.seek(tower, speed) end
  -- As high as the ravens fly.
  return wander(speed) + vector(0, home.y, 0)
end

function M.update()
  local here, speed = own.position(), parameter.get("speed")
  local velocity = own.get("hawk.velocity")
  local way = wanted(here, speed)
  if query.sphere(here, 4, "bell") > 0 then
    way = way + steering.avoid(velocity, 0.4, 0.5, 1.5, 4 * speed)
  end
  if way:length() > speed then way = way:normalized() * speed end
  velocity = steering.limit(velocity, way, parameter.get("change"))
  own.set("hawk.velocity", velocity)
  own.move_to(here + velocity * world.step())
end

return M
