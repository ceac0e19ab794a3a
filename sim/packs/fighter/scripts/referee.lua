-- The referee sees who meets whom, when both fighters have moved, and tells
-- them; so blows of the same tick count both. It counts rounds and their time.

local stage = require("scripts/stage")
local boxes = require("scripts/boxes")

local M = {
  help = "sees who meets whom, and counts rounds",
  reads_others = true,
  parameters = {
    intro = { default = 60, minimum = 1, maximum = 6000, unit = "ticks", help = "before a round" },
    fight = { default = 1800, minimum = 1, maximum = 60000, unit = "ticks", help = "that a round takes at most" },
    over = { default = 120, minimum = 1, maximum = 6000, unit = "ticks", help = "after a round" },
    juggle = { default = 5, minimum = 1, maximum = 100, help = "blows of a combo from which on nothing meets a foe in the air" },
    rounds = { default = 3, minimum = 1, maximum = 9, help = "that are fought at most" },
  },
}

local function is_blocked(move, foe)
  local guard, by = other.now(foe, "fighter.guard"), other.get(move, "move.guard")
  if guard == "none" or by == "none" then return false end
  return by == "any" or by == guard
end

-- A throw meets nobody who is in the air or can do nothing.
local function can_be_thrown(foe)
  local stance = other.now(foe, "fighter.stance")
  return stance ~= "air" and stance ~= "hit" and stance ~= "block"
end

-- A foe who came to in this very tick is met anew.
local function combo_so_far(fighter, foe)
  return stage.helpless[other.now(foe, "fighter.stance")] and other.now(fighter, "fighter.combo") or 0
end

local function is_let_fall(fighter, foe)
  return other.position_now(foe).y > stage.half_height and combo_so_far(fighter, foe) >= parameter.get("juggle")
end

-- The third blow of a combo does four fifths, none less than a fifth.
local function scaled(damage, combo)
  return damage * math.max(20, 100 - 10 * combo) // 100
end

local function at_wall(foe, away)
  return other.position_now(foe).x * away > stage.half_width - stage.half_depth - 0.01
end

-- What a blow comes to; nobody is told before all are known.
local function blow(fighter, foe, move, away)
  local blocked = is_blocked(move, foe)
  local combo = combo_so_far(fighter, foe)
  local push = other.get(move, blocked and "move.push_block" or "move.push_hit")
  local pushes_back = at_wall(foe, away) and other.get(move, "move.kind") ~= "shot"
  return {
    fighter = fighter,
    foe = foe,
    move = move,
    blocked = blocked,
    damage = blocked and other.get(move, "move.chip")
      or scaled(other.get(move, "move.damage"), combo),
    combo = blocked and combo or combo + 1,
    push = pushes_back and 0.0 or away * push,
    push_back = pushes_back and -away * push or 0.0,
  }
end

local function tell(blow, event_type, whom, push)
  event.give("move", blow.move)
  event.give("blocked", blow.blocked)
  event.give("push", push)
  if event_type == "struck" then
    event.give("damage", blow.damage)
  else
    event.give("combo", blow.combo)
  end
  event.post(event_type, whom)
end

-- Whoever strikes and is struck in the same tick slides as one who is struck,
-- whichever of the two it is.
local function tell_all(blows)
  for _, blow in ipairs(blows) do
    if blow then tell(blow, "landed", blow.fighter, blow.push_back) end
  end
  for _, blow in ipairs(blows) do
    if blow then tell(blow, "struck", blow.foe, blow.push) end
  end
end

local function strike(fighter, foe)
  local striking, hurt = boxes.striking(fighter), boxes.hurt(foe)
  if not striking or not hurt or not boxes.meet(striking, hurt) or is_let_fall(fighter, foe) then return nil end
  local move = other.now(fighter, "fighter.move")
  if other.get(move, "move.kind") == "throw" and not can_be_thrown(foe) then return nil end
  return blow(fighter, foe, move, other.now(fighter, "fighter.facing"))
end

local function shoot(fighter, foe, move)
  local shot = other.now(fighter, "fighter.shot")
  local flying, hurt = boxes.shot(shot), boxes.hurt(foe)
  if not flying or not hurt or not boxes.meet(flying, hurt) or is_let_fall(fighter, foe) then return nil end
  event.post("burst", shot)
  return blow(fighter, foe, move, other.now(shot, "shot.direction"))
end

local function shots_meet(left, right)
  local a, b = other.now(left, "fighter.shot"), other.now(right, "fighter.shot")
  local one, two = boxes.shot(a), boxes.shot(b)
  if not one or not two or not boxes.meet(one, two) then return false end
  event.post("burst", a)
  event.post("burst", b)
  return true
end

local function judge_blows(left, right)
  local fireball = world.find("fireball")
  local meet = shots_meet(left, right)
  tell_all({
    strike(left, right) or false,
    strike(right, left) or false,
    not meet and shoot(left, right, fireball) or false,
    not meet and shoot(right, left, fireball) or false,
  })
end

local function enter(name, ticks)
  own.set("match.stage", name)
  own.set("match.clock", ticks)
end

local function win(side)
  own.set("match." .. side, own.get("match." .. side) + 1)
end

local function end_round(left, right)
  if left > right then win("left") elseif right > left then win("right") end
  enter("over", parameter.get("over"))
end

local function judge_match()
  local left, right = own.get("match.left"), own.get("match.right")
  local round, rounds = own.get("match.round"), parameter.get("rounds")
  local is_last = round >= rounds
  if left == 2 or is_last and left > right then
    event.post("left_won")
  elseif right == 2 or is_last and right > left then
    event.post("right_won")
  elseif is_last then
    event.post("nobody_won")
  else
    own.set("match.round", round + 1)
    event.give("round", round + 1)
    event.post("round_begins")
    enter("intro", parameter.get("intro"))
    return
  end
  enter("over", 60000)
end

local function judge_round(left, right)
  local a, b = other.now(left, "fighter.health"), other.now(right, "fighter.health")
  if a == 0 or b == 0 or own.get("match.clock") == 0 then
    end_round(a, b)
    return
  end
  judge_blows(left, right)
end

function M.spawn()
  enter("intro", parameter.get("intro"))
end

function M.update()
  local left, right = world.find("left"), world.find("right")
  local clock, phase = own.get("match.clock"), own.get("match.stage")
  if clock > 0 then own.set("match.clock", clock - 1) end
  if phase == "fight" then
    judge_round(left, right)
  elseif clock == 0 then
    if phase == "intro" then enter("fight", parameter.get("fight")) else judge_match() end
  end
end

return M
