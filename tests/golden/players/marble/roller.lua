-- Rolls from place to place as a person does who sees the course for the first
-- time: turns back, jumps for fun, and where it gets stuck pushes harder, then tries again.

local M = {}

-- Places, how many seconds to stay, and whether to jump there.
local plan = {
  -- Among the crates, and past the dominoes.
  { 0, -8, 0.5 }, { -1, -9.5, 0.6 }, { 1.2, -7.5, 0.4 }, { 0, -4.6, 0.2 }, { -1.5, -8, 0.1 },
  { -1.4, -3, 0.2 }, { -1.4, -0.8, 0.6, true },
  -- Over the ramps, and around the pendulum.
  { 0, 0, 0.2 }, { 0, 2.2, 0.3 }, { 0.3, 5.2, 0.4 }, { 1.5, 8.6, 0.4 }, { -1.4, 10.8, 0.3, true }, { -1, 9, 0.3 },
  -- The second leg: the turnstile and the barrels.
  { 3.2, 10.6, 0.5 }, { 5, 11.3, 0.3 }, { 8.2, 11.4, 0.3 }, { 9.4, 10, 0.4 }, { 11.8, 8.7, 0.8, true }, { 12.4, 11.2, 0.2 },
  -- Back for a run-up, and with a jump over the seesaw.
  { 10.4, 10, 0.5 }, { 11.9, 10, 0, true }, { 16.6, 10, 1.2 }, { 16.8, 8.6, 0.7, true }, { 16.5, 9.4, 1, true },
  -- The goal.
  { 19, 10, 1 }, { 17.6, 10.4, 9 },
}

-- A stick is never quite where a hand wants it, and in its middle is nothing.
local function push(action, way, speed)
  local value = 0.7 * way - 0.55 * speed + 0.06 * (bot.random() - 0.5)
  if math.abs(value) < 0.08 then value = 0 end
  act.axis(action, math.max(-1, math.min(1, value)))
end

function M.decide()
  local me = view.find("player")
  local here, speed = view.position(me), view.velocity(me)
  local step = memory.number("step") or 1
  if step > #plan then
    act.release_all()
    return
  end
  local place = plan[step]
  local x, z = place[1] - here.x, place[2] - here.z
  local away = math.sqrt(x * x + z * z)
  local since = memory.number("since")
  if away < 0.45 and not since then
    since = view.tick()
    memory.set_number("since", since)
    if place[4] then act.press("jump") end
  end
  if since and view.tick() > since + place[3] * 60 then
    memory.set_number("step", step + 1)
    memory.forget("since")
  end
  if not since then
    if view.tick() % 400 > 380 then act.press("jump") end
    if away > 0.4 and speed:length() < 0.4 then
      x, z = x / away * 2.5, z / away * 2.5
      local slow = (memory.number("slow") or 0) + 1
      memory.set_number("slow", slow)
      -- A second and a half of pushing in vain: once more from where it began.
      if slow > 22 then
        memory.set_number("step", math.max(1, step - 2))
        memory.set_number("slow", 0)
      end
    else
      memory.set_number("slow", 0)
    end
  end
  push("roll_x", x, speed.x)
  push("roll_z", z, speed.z)
end

return M
