-- Walks up and down in the garden, and stands watch before the house.

local M = {}

-- Places, and how many seconds to stay.
local plan = {
  { -12, -1, 3 }, { -12.5, -3, 4 }, { -10, -3.5, 3 }, { -9, 0, 5 }, { -4, -1, 6 },
  { -6.5, -1.4, 4 }, { -8, -1, 8 }, { -4, 0.6, 60 },
}

function M.decide()
  local here = view.position(view.find("accomplice"))
  local step = memory.number("step") or 1
  local place = plan[step]
  local x, z = place[1] - here.x, place[2] - here.z
  local away = math.sqrt(x * x + z * z)
  local since = memory.number("since")
  if away >= 0.4 and not since then
    act.axis("walk_x", 0.9 * x / away)
    act.axis("walk_z", 0.9 * z / away)
    return
  end
  if not since then
    since = view.tick()
    memory.set_number("since", since)
  end
  act.axis("walk_x", 0)
  act.axis("walk_z", 0)
  if view.tick() > since + place[3] * 60 and step < #plan then
    memory.set_number("step", step + 1)
    memory.forget("since")
  end
end

return M
