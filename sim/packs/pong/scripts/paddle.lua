-- A paddle goes along its end of the court as its player pushes.

local court = require("scripts/court_size")

local M = {
  help = "goes along its end of the court as its player pushes",
  parameters = {
    speed = { default = 9.0, minimum = 0, maximum = 100, unit = "m/s", help = "at full push" },
  },
}

function M.update()
  local push = player.axis(own.get("paddle.player"), "move")
  local at = own.position()
  local most = court.half_width - own.get("paddle.half_width")
  local z = at.z + push * parameter.get("speed") * world.step()
  own.move_to(vector(at.x, at.y, math.max(-most, math.min(most, z))))
end

return M
