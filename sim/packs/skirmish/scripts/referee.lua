-- The referee counts points, and says who has won: whose other castle falls, or
-- who has more when time is up.

local M = {
  help = "counts points and time, and says who has won",
  reads_others = true,
  parameters = {
    castle = { default = 1000, minimum = 0, maximum = 100000, help = "points for the other's castle" },
  },
}

local wells = { "well_north", "well_middle", "well_south" }
local across = { west = "match.east", east = "match.west" }

local function add(property, amount)
  own.set(property, own.get(property) + amount)
end

local function count_points()
  for _, name in ipairs(wells) do
    local owner = other.now(world.find(name), "well.owner")
    if owner ~= "nobody" then add("match." .. owner, 1) end
  end
end

local function decide()
  own.set("match.is_over", true)
  local west, east = own.get("match.west"), own.get("match.east")
  event.post(west > east and "west_won" or east > west and "east_won" or "nobody_won")
end

function M.update()
  if own.get("match.is_over") then return end
  local clock = own.get("match.clock")
  if clock == 0 then
    decide()
    return
  end
  own.set("match.clock", clock - 1)
  if clock % 60 == 0 then count_points() end
end

M.on = {
  -- Both may fall in one tick; then points decide.
  castle_fell = function()
    if own.get("match.is_over") then return end
    add(across[event.get("side")], parameter.get("castle"))
    own.set("match.clock", 0)
  end,
}

return M
