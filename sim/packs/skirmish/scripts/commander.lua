-- A commander counts who comes and falls, and sends new units from its castle: one
-- in each wave, and one more for each well that it holds. Which squad does what, it
-- decides by its tasks (pack.txtpb), if its player leaves that to it.

local M = {
  help = "sends new units, and counts who comes and falls",
  reads_others = true,
  queries = true,
  parameters = {
    wave = { default = 240, minimum = 1, maximum = 100000, unit = "ticks", help = "from one wave to the next" },
    most = { default = 130, minimum = 0, maximum = 200, help = "units at a time" },
  },
}

local function add(property, amount)
  own.set(property, own.get(property) + amount)
end

local function count_wells()
  local wells, side = 0, own.get("side.name")
  for i = 1, query.all("well") do
    if other.get(query.object(i), "well.owner") == side then wells = wells + 1 end
  end
  own.set("commander.wells", wells)
end

-- The k-th of a wave: every fourth is a bow.
local function send(k)
  local side, here = own.get("side.name"), own.position()
  local kind = (own.get("commander.made") + k) % 4 == 0 and "_bow" or "_spear"
  world.give("unit.squad", world.find(side .. "_" .. own.get("commander.musters")))
  world.spawn(side .. kind, vector(here.x, 0, here.z + (k - 2.5) * 0.8))
end

function M.update()
  if world.tick() % 30 == 0 then count_wells() end
  if world.tick() % parameter.get("wave") ~= 0 or world.tick() == 0 then return end
  local count = math.min(1 + own.get("commander.wells"), parameter.get("most") - own.get("commander.alive"))
  for k = 1, count do send(k) end
end

M.on = {
  made = function()
    add("commander.made", 1)
    add("commander.alive", 1)
  end,
  fell = function()
    add("commander.fallen", 1)
    add("commander.alive", -1)
  end,
  delegate = function()
    if event.get("player") ~= own.get("side.player") then return false end
    own.set("command.is_active", event.get("on"))
  end,
  muster = function()
    if event.get("player") ~= own.get("side.player") then return false end
    own.set("commander.musters", event.get("squad"))
  end,
}

return M
