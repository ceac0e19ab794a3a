-- Volumes: upright boxes in the plane of x and y, as { left, right, low, high }.
-- They are those of this tick: whoever asks is updated after the fighters.

local stage = require("scripts/stage")

local M = {}

local function box(at, facing, near, far, low, high)
  local a, b = at.x + facing * near, at.x + facing * far
  local feet = at.y - stage.half_height
  return { left = math.min(a, b), right = math.max(a, b), low = feet + low, high = feet + high }
end

function M.meet(a, b)
  return a.left <= b.right and b.left <= a.right and a.low <= b.high and b.low <= a.high
end

-- Where a fighter's move strikes, or nil while it doesn't.
function M.striking(fighter)
  if other.now(fighter, "fighter.phase") ~= "active" or other.now(fighter, "fighter.contact") ~= "none" then return nil end
  local move = other.now(fighter, "fighter.move")
  if other.get(move, "move.kind") == "shot" then return nil end
  return box(other.position_now(fighter), other.now(fighter, "fighter.facing"),
    other.get(move, "move.near"), other.get(move, "move.far"),
    other.get(move, "move.low"), other.get(move, "move.high"))
end

local function crouches(fighter, move)
  if move then return other.get(move, "move.posture") == "crouch" end
  return other.now(fighter, "fighter.stance") == "crouch" or other.now(fighter, "fighter.guard") == "low"
end

-- Where a fighter can be met, or nil while it can't.
function M.hurt(fighter)
  local move, age = other.now(fighter, "fighter.move"), other.now(fighter, "fighter.age")
  if other.now(fighter, "fighter.stance") == "down" then return nil end
  if move and age <= other.get(move, "move.untouchable") then return nil end
  local far = stage.half_depth
  if move and other.now(fighter, "fighter.phase") ~= "startup" then far = far + other.get(move, "move.exposed") end
  local high = crouches(fighter, move) and 1.1 or 1.8
  return box(other.position_now(fighter), other.now(fighter, "fighter.facing"), -stage.half_depth, far, 0, high)
end

function M.shot(shot)
  if not other.now(shot, "shot.is_live") then return nil end
  local at = other.position_now(shot)
  return { left = at.x - 0.25, right = at.x + 0.25, low = at.y - 0.25, high = at.y + 0.25 }
end

return M
