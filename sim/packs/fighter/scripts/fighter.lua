-- A fighter walks, jumps, crouches, blocks, and makes the moves of the table as
-- its player asks. Who meets whom is the referee's business.

local stage = require("scripts/stage")
local wishes = require("scripts/wishes")

local M = {
  help = "walks, jumps, blocks and makes moves as its player asks",
  reads_others = true,
  queries = true,
  parameters = {
    forward = { default = 3.2, minimum = 0, maximum = 20, unit = "m/s", help = "walking towards the foe" },
    backward = { default = 2.4, minimum = 0, maximum = 20, unit = "m/s", help = "walking away from it" },
    jump = { default = 8.0, minimum = 0, maximum = 20, unit = "m/s", help = "upward" },
    friction = { default = 0.86, minimum = 0, maximum = 1, help = "of the push that is left after a tick" },
    patience = { default = 5, minimum = 1, maximum = 60, unit = "ticks", help = "for which a move that is asked for too early is remembered" },
  },
}

local function feet()
  return own.position().y - stage.half_height
end

local function airborne()
  return feet() > 0 or own.get("fighter.velocity").y > 0
end

local function about(move, field)
  return other.get(move, "move." .. field)
end

local function fights()
  return other.get(world.find("referee"), "match.stage") == "fight"
end

-- Where the player pushes: x forward, y up.
local function stick()
  if not fights() then return vector(0, 0, 0) end
  return player.value(own.get("fighter.player"), "step")
end

local function turn_to(facing)
  own.set("fighter.facing", facing)
  event.give("player", own.get("fighter.player"))
  event.post(facing > 0 and "faces_right" or "faces_left")
end

local function face_foe()
  local way = other.position(own.get("fighter.foe")).x - own.position().x
  local facing = way >= 0 and 1 or -1
  if facing ~= own.get("fighter.facing") then turn_to(facing) end
end

local function posture(push)
  if airborne() then return "air" end
  return push.y < -0.5 and "crouch" or "stand"
end

-- A wish outlasts a hit stop.
local function remember_wish(push, stopped)
  local asked = fights() and wishes.asked(own.get("fighter.player"), posture(push), own.get("fighter.move"))
  if asked then
    own.set("fighter.wish", asked)
    own.set("fighter.wish_ticks", parameter.get("patience"))
  elseif own.get("fighter.wish_ticks") > 0 and not stopped then
    own.set("fighter.wish_ticks", own.get("fighter.wish_ticks") - 1)
  end
end

local function wish()
  local move = own.get("fighter.wish")
  if not move or own.get("fighter.wish_ticks") == 0 then return nil end
  if (about(move, "posture") == "air") ~= airborne() then return nil end
  local shot = own.get("fighter.shot")
  if about(move, "kind") == "shot" and other.get(shot, "shot.is_live") then return nil end
  return move
end

local function set_age(move, age)
  local startup = about(move, "startup")
  local active = startup + about(move, "active")
  own.set("fighter.age", age)
  own.set("fighter.phase", age <= startup and "startup" or age <= active and "active" or "recovery")
end

local function begin(move)
  own.set("fighter.stance", "attack")
  own.set("fighter.move", move)
  own.set("fighter.contact", "none")
  own.set("fighter.wish_ticks", 0)
  set_age(move, 1)
end

local function end_move()
  own.set("fighter.move", nil)
  own.set("fighter.age", 0)
  own.set("fighter.phase", "none")
  own.set("fighter.contact", "none")
end

local function be_free()
  end_move()
  own.set("fighter.stance", airborne() and "air" or "stand")
end

local function go_on_with_move()
  local move = own.get("fighter.move")
  local next = wish()
  if next and own.get("fighter.contact") ~= "none" and wishes.goes_on(next, move) then
    begin(next)
    return
  end
  local age = own.get("fighter.age") + 1
  if age > about(move, "startup") + about(move, "active") + about(move, "recovery") then
    be_free()
  else
    set_age(move, age)
  end
end

-- Who is in the air or has no health left stays as it is.
local function go_on_with_stun()
  if airborne() or own.get("fighter.health") == 0 then return end
  local stun = own.get("fighter.stun")
  if stun > 0 then
    own.set("fighter.stun", stun - 1)
  else
    be_free()
  end
end

local function walk(push)
  local facing = own.get("fighter.facing")
  local along, stance = 0, "stand"
  if push.y < -0.5 then
    stance = "crouch"
  elseif push.x > 0.5 then
    along, stance = parameter.get("forward"), "walk"
  elseif push.x < -0.5 then
    along, stance = -parameter.get("backward"), "retreat"
  end
  local up = 0
  if push.y > 0.5 then
    up, stance = parameter.get("jump"), "air"
    if math.abs(push.x) > 0.5 then along = push.x > 0 and parameter.get("forward") or -parameter.get("backward") end
  end
  own.set("fighter.stance", stance)
  own.set("fighter.velocity", vector(along * facing, up, 0))
end

local function act(push)
  local stance = own.get("fighter.stance")
  if not stage.free[stance] then return end
  if stance ~= "air" then face_foe() end
  local move = wish()
  if move then
    begin(move)
  elseif stance ~= "air" then
    walk(push)
  end
end

-- How fast it goes along x on its feet.
local function pace()
  local stance = own.get("fighter.stance")
  local velocity = own.get("fighter.velocity")
  if airborne() then return velocity.x end
  if stance == "attack" then
    local forward = own.get("fighter.phase") ~= "recovery" and about(own.get("fighter.move"), "pace") or 0
    return forward * own.get("fighter.facing")
  end
  return stage.free[stance] and velocity.x or 0
end

local function land()
  local stance = own.get("fighter.stance")
  own.set("fighter.velocity", vector(0, 0, 0))
  if stance == "hit" then
    own.set("fighter.stance", "down")
    own.set("fighter.stun", stage.down_ticks)
  elseif stance == "attack" or stance == "air" then
    end_move()
    own.set("fighter.stance", "stand")
  end
end

-- Half of the way by which two on the floor stand within each other.
local function aside(at)
  local foe = other.position(own.get("fighter.foe"))
  local way = at.x - foe.x
  local within = 2 * stage.half_depth - math.abs(way)
  if within < 1e-6 or math.abs(at.y - foe.y) > 2 * stage.half_height then return 0 end
  local side = way > 0 and 1 or way < 0 and -1 or -own.get("fighter.facing")
  return side * within / 2
end

local function travel()
  local was_airborne = airborne()
  local velocity = vector(pace(), own.get("fighter.velocity").y, 0)
  local push = own.get("fighter.push")
  local at = own.position() + (velocity + vector(push, 0, 0)) * world.step()
  at = at + vector(aside(at), 0, 0)
  own.set("fighter.push", math.abs(push) < 0.05 and 0 or push * parameter.get("friction"))
  if was_airborne then
    own.set("fighter.velocity", vector(velocity.x, velocity.y - stage.gravity * world.step(), 0))
  end
  local landed = was_airborne and at.y <= stage.half_height
  local most = stage.half_width - stage.half_depth
  own.move_to(vector(math.max(-most, math.min(most, at.x)), math.max(stage.half_height, at.y), 0))
  if landed then land() end
end

local function guard(push)
  local stance = own.get("fighter.stance")
  local blocks = stance == "block" or push.x < -0.5 and (stance == "stand" or stance == "retreat" or stance == "crouch")
  own.set("fighter.guard", not blocks and "none" or push.y < -0.5 and "low" or "high")
end

local function face_inwards()
  turn_to(own.get("fighter.home") < 0 and 1 or -1)
end

function M.spawn()
  face_inwards()
end

function M.update()
  local push = stick()
  local stop = own.get("fighter.stop")
  remember_wish(push, stop > 0)
  if stop > 0 then
    own.set("fighter.stop", stop - 1)
    return
  end
  if not stage.helpless[other.get(own.get("fighter.foe"), "fighter.stance")] then own.set("fighter.combo", 0) end
  if own.get("fighter.stance") == "attack" then
    go_on_with_move()
  elseif not stage.free[own.get("fighter.stance")] then
    go_on_with_stun()
  end
  act(push)
  travel()
  guard(push)
end

local function fly(lift)
  own.set("fighter.velocity", vector(0, lift, 0))
  own.set("fighter.stance", "hit")
end

M.on = {
  struck = function()
    local move, blocked = event.get("move"), event.get("blocked")
    local health = own.get("fighter.health") - event.get("damage")
    own.set("fighter.health", math.max(blocked and 1 or 0, health))
    end_move()
    own.set("fighter.stop", about(move, "hit_stop"))
    own.set("fighter.stun", about(move, blocked and "block_stun" or "hit_stun"))
    own.set("fighter.push", event.get("push"))
    if blocked then
      own.set("fighter.stance", "block")
    elseif airborne() or about(move, "lift") > 0 then
      fly(math.max(3, about(move, "lift")))
    elseif about(move, "knocks_down") or own.get("fighter.health") == 0 then
      own.set("fighter.stance", "down")
      own.set("fighter.stun", stage.down_ticks)
    else
      own.set("fighter.stance", "hit")
    end
  end,
  landed = function()
    local move, blocked = event.get("move"), event.get("blocked")
    if own.get("fighter.move") == move then
      own.set("fighter.contact", blocked and "blocked" or "hit")
      if about(move, "kind") ~= "shot" then own.set("fighter.stop", about(move, "hit_stop")) end
    end
    own.set("fighter.push", event.get("push"))
    local combo = event.get("combo")
    own.set("fighter.combo", combo)
    own.set("fighter.combo_best", math.max(combo, own.get("fighter.combo_best")))
  end,
  round_begins = function()
    own.move_to(vector(own.get("fighter.home"), stage.half_height, 0))
    own.set("fighter.health", 1000)
    own.set("fighter.stance", "stand")
    own.set("fighter.velocity", vector(0, 0, 0))
    for _, number in ipairs({ "push", "stun", "stop", "wish_ticks", "combo" }) do
      own.set("fighter." .. number, 0)
    end
    end_move()
    face_inwards()
  end,
}

return M
