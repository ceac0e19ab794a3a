-- A well is whose units are more around it for long enough.

local M = {
  help = "is whose units are more around it",
  queries = true,
  parameters = {
    reach = { default = 4.0, minimum = 0.5, maximum = 20, unit = "m", help = "within which units count" },
    pull = { default = 0.125, minimum = 0.01, maximum = 1, help = "of its hold, in an update" },
  },
}

local function take(owner)
  if own.get("well.owner") == owner then return end
  own.set("well.owner", owner)
  event.give("owner", owner)
  event.post("well_taken")
end

function M.update()
  local here, reach = own.position(), parameter.get("reach")
  local west = query.sphere(here, reach, "west_unit")
  local east = query.sphere(here, reach, "east_unit")
  if west == east then return end
  local pull = east > west and parameter.get("pull") or -parameter.get("pull")
  local hold = math.max(-1, math.min(1, own.get("well.hold") + pull))
  own.set("well.hold", hold)
  if hold == -1 then
    take("west")
  elseif hold == 1 then
    take("east")
  elseif hold < 0 and own.get("well.owner") == "east" or hold > 0 and own.get("well.owner") == "west" then
    take("nobody")
  end
end

return M
