-- Sees the ball late, stands in the middle while it flies away, and aims a
-- little beside it: by how much is decided anew at each return.

local M = {}

local function aim_anew()
  local error_m = bot.number("error_m")
  memory.set_number("error", (2 * bot.random() - 1) * error_m)
end

function M.decide()
  local me, ball = view.find(bot.text("me")), view.find("ball")
  if not me or not ball then return end
  for i = 1, view.event_count() do
    if view.event(i) == "returned" then aim_anew() end
  end
  local here, there = view.position(me), view.position(ball)
  local before = memory.vector("ball")
  memory.set_vector("ball", there)
  local target = 0
  if before and (there.x - before.x) * here.x > 0 then
    target = there.z + (memory.number("error") or 0)
  end
  local way = target - here.z
  act.axis("move", math.max(-1, math.min(1, way)))
end

return M
