-- A fireball waits below the stage until its owner throws it, and flies until
-- it has met something or left the stage.

local stage = require("scripts/stage")

local M = {
  help = "flies along the stage when its owner throws it",
  reads_others = true,
  parameters = {
    speed = { default = 5.0, minimum = 0, maximum = 30, unit = "m/s", help = "of its flight" },
  },
}

local function wait()
  own.set("shot.is_live", false)
  own.move_to(vector(own.position().x, -4, 0))
end

-- In the first active tick of the owner's move it is there.
local function is_thrown(owner)
  local move = other.now(owner, "fighter.move")
  return move and other.get(move, "move.kind") == "shot" and other.now(owner, "fighter.stop") == 0
    and other.now(owner, "fighter.age") == other.get(move, "move.startup") + 1
end

function M.update()
  local owner = own.get("shot.owner")
  if own.get("shot.is_live") then
    local at = own.position() + vector(own.get("shot.direction") * parameter.get("speed") * world.step(), 0, 0)
    own.move_to(at)
    if math.abs(at.x) > stage.half_width + 1 then wait() end
  elseif is_thrown(owner) then
    local facing = other.now(owner, "fighter.facing")
    own.set("shot.is_live", true)
    own.set("shot.direction", facing)
    own.move_to(other.position_now(owner) + vector(facing * 0.7, 0.1, 0))
  end
end

M.on = {
  burst = wait,
  round_begins = wait,
}

return M
