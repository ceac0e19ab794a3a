-- Walks to where its parameter `goal` is, and jumps where it is held up.

local going = require("bots/going")

local M = {}

function M.decide()
  local me = view.find("docker")
  local goal = view.find(bot.text("goal"))
  if not me or not goal then
    act.release_all()
    return
  end
  local here = view.position(me)
  local x, z = going.towards(here, view.position(goal))
  act.axis("walk_x", x)
  act.axis("walk_z", z)

  local before = memory.vector("here")
  local is_held_up = before and (here - before):length() < bot.number("least_m")
  if is_held_up then bot.log("held up at " .. tostring(here)) end
  act.hold("jump", is_held_up or false)
  memory.set_vector("here", here)
end

return M
