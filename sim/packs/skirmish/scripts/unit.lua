-- A unit goes where its squad goes along the squad's flow field, keeps apart
-- from all others, makes for the nearest whom it sees and strikes whom it
-- reaches. It never walks into a wall.

local M = {
  help = "goes with its squad, keeps apart, and fights whom it sees",
  reads_others = true,
  queries = true,
  parameters = {
    stride = { default = 4, minimum = 1, maximum = 60, unit = "ticks", help = "from an update to the next, as the pack has it" },
    gap = { default = 0.7, minimum = 0.1, maximum = 5, unit = "m", help = "that it keeps from others" },
    change = { default = 0.8, minimum = 0.01, maximum = 20, unit = "m/s", help = "of its velocity, at most, in an update" },
    healing = { default = 0.8, minimum = 0, maximum = 100, help = "at home while its squad rests, in an update" },
  },
}

local still = vector(0, 0, 0)

-- Whom it sees, and where; nil when it sees nobody who is still there.
local function look()
  if own.get("senses.sees") == 0 then return nil end
  local foe = own.get("senses.seen")
  if not foe or not world.exists(foe) then return nil end
  return foe, other.position(foe)
end

local function strike(foe)
  if world.tick() < own.get("unit.ready_at") then return end
  own.set("unit.ready_at", world.tick() + own.get("unit.rest"))
  event.give("damage", own.get("unit.damage") * (0.8 + 0.4 * world.random()))
  event.post("struck", foe)
end

local function heal()
  local health, full = own.get("unit.health"), own.get("unit.health_full")
  if health < full then own.set("unit.health", math.min(full, health + parameter.get("healing"))) end
end

-- Along the flow field of its squad; slower where it leads to.
local function march(squad, is_resting, speed)
  local field = other.get(squad, "squad.field")
  local left = flow.cost(field)
  if not left then return still end
  if is_resting and left < 6000 then heal() end
  if left < 2000 then return steering.arrive(flow.goal(field), speed, 2) end
  return steering.seek(flow.next(field), speed)
end

local function wish(here, speed)
  local squad = own.get("unit.squad")
  local is_resting = other.get(squad, "squad.mood") == "rest"
  local foe, there = look()
  if foe then
    if (there - here):length() <= own.get("unit.reach") then
      strike(foe)
      if not is_resting then return still end
    elseif not is_resting then
      return steering.seek(there, speed)
    end
  end
  return march(squad, is_resting, speed)
end

local function is_open(place)
  local weight = grid.weight("field", place)
  return weight and weight > 0
end

-- Along the walls where it would walk into one.
local function walk(here, velocity)
  if velocity == still then return velocity end
  local step = velocity * (world.step() * parameter.get("stride"))
  local ways = { step, vector(step.x, 0, 0), vector(0, 0, step.z) }
  for _, way in ipairs(ways) do
    if is_open(here + way) then
      own.move_to(here + way)
      return velocity
    end
  end
  return still
end

function M.spawn()
  event.post("made", world.find(own.get("side.name")))
end

function M.update()
  local here, speed, gap = own.position(), own.get("unit.speed"), parameter.get("gap")
  local wanted = wish(here, speed)
  if query.sphere(here, gap, "unit") > 0 then wanted = wanted + steering.separate(gap, speed) end
  if wanted:length() > speed then wanted = wanted:normalized() * speed end
  local velocity = steering.limit(own.get("unit.velocity"), wanted, parameter.get("change"))
  own.set("unit.velocity", walk(here, velocity))
end

M.on = {
  struck = function()
    local health = own.get("unit.health")
    if health <= 0 then return end
    health = health - event.get("damage")
    own.set("unit.health", math.max(0, health))
    if health > 0 then return end
    event.post("fell", world.find(own.get("side.name")))
    world.destroy()
  end,
}

return M
