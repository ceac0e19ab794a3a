-- Walks through the manor as a person does who sees it for the first time:
-- around the garden to the key, into the corridor while the guard is there,
-- which gets it caught, once more behind his back, through both gates to the
-- vault, and home.

local M = {}

-- Places, how many seconds to stay, and what to do there.
local plan = {
  { -9, -1.2, 0.5 }, { -8.2, -2.2, 0.8 }, { -8, 0.5, 0.4, "whistle" }, { -9.6, 3, 1.2 }, { -7, 1.2, 0.3 },
  { -5, 2.2, 0.6 }, { -5.4, 0.2, 0.8, "jump" }, { -3, 0, 1.5 }, { 0.4, 0, 0.6 }, { 1.2, -2.8, 1 },
  -- Too early.
  { 2.2, 0, 0.2 }, { 3.6, 0, 3.2 },
  { 1.8, 0.4, 0.8 }, { 2.4, 0.2, 0.3, "wait" }, { 6.6, -0.4, 0.4, "strike" }, { 7, -0.9, 0.5, "strike" },
  { 8.9, 0, 0.8 }, { 11.5, 0, 1.6 }, { 14.2, 0, 0.4 },
  { 15.6, 1, 0.6 }, { 15.8, -1, 0.5, "jump" }, { 18, 0.2, 0.4 }, { 20, 0, 1.2 },
  { 18, -1, 0.4 }, { 14.2, 0, 1.2 }, { 11.5, 0, 1.6 }, { 8.6, 0, 0.4 }, { 1.5, 0.2, 0.3 }, { -3, 0, 0.5 }, { -8.5, -0.5, 9 },
}

local function arrive(task)
  if task == "jump" then
    act.press("jump")
  elseif task == "whistle" then
    act.command("whistle")
  elseif task == "strike" then
    act.command("strike")
    act.give_number("force", bot.random_integer(20, 35))
  end
end

-- The guard walks north along the corridor and comes back by the other side.
local function is_guard_gone()
  local guard = view.position(view.find("guard"))
  return guard.z > 2.5 and guard.x < 4.5
end

local function walk(x, z)
  act.axis("walk_x", math.max(-1, math.min(1, x)))
  act.axis("walk_z", math.max(-1, math.min(1, z)))
end

function M.decide()
  local here = view.position(view.find("thief"))
  local step = memory.number("step") or 1
  if step > #plan then
    walk(0, 0)
    return
  end
  local place = plan[step]
  local x, z = place[1] - here.x, place[2] - here.z
  local away = math.sqrt(x * x + z * z)
  local since = memory.number("since")
  if away < 0.35 and not since then
    since = view.tick()
    memory.set_number("since", since)
    arrive(place[4])
  end
  if since then
    walk(0, 0)
    if view.tick() > since + place[3] * 60 and (place[4] ~= "wait" or is_guard_gone()) then
      memory.set_number("step", step + 1)
      memory.forget("since")
    end
    return
  end
  local pace = math.min(1, 0.35 + away) / away
  walk(pace * x + 0.05 * (bot.random() - 0.5), pace * z + 0.05 * (bot.random() - 0.5))
end

return M
