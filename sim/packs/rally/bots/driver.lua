-- Steers a vehicle to the finish and keeps a speed.

local M = {}

local function clamp(value)
  return math.max(-1, math.min(1, value))
end

function M.decide()
  local me = view.find(bot.text("vehicle"))
  local finish = view.find("finish")
  if not me or not finish then
    act.release_all()
    return
  end
  -- Ahead is z, and x lies to the left of who looks there.
  local way = view.to_local(me, view.position(finish))
  act.axis("steer", clamp(3 * way.x / math.max(way.z, 1)))
  local speed = view.velocity(me):length()
  local lacking = bot.number("speed_m_s") - speed
  act.axis("throttle", clamp(lacking / 2))
  act.hold("brake", lacking < -4)
end

return M
