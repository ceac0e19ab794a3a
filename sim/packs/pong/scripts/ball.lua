-- The ball flies straight, bounces off the sides and the paddles, and is served
-- anew when somebody has missed it.

local court = require("scripts/court_size")

local M = {
  help = "flies straight and bounces off sides and paddles",
  reads_others = true,
  parameters = {
    serve_speed = { default = 8.0, minimum = 1, maximum = 20, unit = "m/s", help = "when it is served" },
    gain = { default = 1.06, minimum = 1, maximum = 2, help = "of its speed, at each return" },
    speed_max = { default = 22.0, minimum = 1, maximum = 28, unit = "m/s", help = "it never flies faster" },
    wait = { default = 45, minimum = 1, maximum = 600, unit = "ticks", help = "until it is served" },
    angle = { default = 0.9, minimum = 0, maximum = 1.4, unit = "rad", help = "of a return by a paddle's edge" },
  },
}

local function wait()
  own.set("ball.velocity", vector(0, 0, 0))
  timer.start("wait", "serve", parameter.get("wait"))
end

function M.spawn()
  wait()
end

-- The ball's velocity after a paddle, if it meets it, and the ball's edge.
local function returned(name, at, velocity)
  local paddle = world.find(name)
  local to = other.position(paddle)
  local reach = other.get(paddle, "paddle.half_width") + court.ball_radius
  local depth = court.paddle_half_depth + court.ball_radius
  local off = (at.z - to.z) / reach
  if velocity.x * to.x <= 0 or math.abs(at.x - to.x) > depth or math.abs(off) > 1 then
    return velocity
  end
  local speed = math.min(velocity:length() * parameter.get("gain"), parameter.get("speed_max"))
  local angle = off * parameter.get("angle")
  local away = to.x > 0 and -1 or 1
  event.give("side", name)
  event.give("speed", speed)
  event.post("returned")
  return vector(away * math.cos(angle), 0, math.sin(angle)) * speed
end

function M.update()
  local velocity = own.get("ball.velocity")
  local at = own.position() + velocity * world.step()
  local most = court.half_width - court.ball_radius
  if math.abs(at.z) > most and at.z * velocity.z > 0 then
    velocity = vector(velocity.x, 0, -velocity.z)
    at = vector(at.x, 0, at.z > 0 and most or -most)
    event.post("bounced")
  end
  velocity = returned("left", at, velocity)
  velocity = returned("right", at, velocity)
  if math.abs(at.x) > court.half_length then
    event.give("winner", at.x > 0 and "left" or "right")
    event.post("point")
    own.move_to(vector(0, 0, 0))
    wait()
    return
  end
  own.set("ball.velocity", velocity)
  own.move_to(at)
end

M.on = {
  serve = function()
    local side = 2 * world.random_integer(0, 1) - 1
    local angle = (world.random() - 0.5) * parameter.get("angle")
    own.set("ball.velocity", vector(side * math.cos(angle), 0, math.sin(angle)) * parameter.get("serve_speed"))
  end,
}

return M
