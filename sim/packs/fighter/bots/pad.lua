-- Hands on a pad. Directions are those of a keypad, seen from a fighter who
-- looks to the right: 6 is forward, 4 back, 2 down. A plan is a text of words
-- such as "2 3 6l": one word a decision, with l, h and t for the blows.

local M = {}

local function stick(facing, key)
  local along = (key - 1) % 3 - 1
  local up = (key - 1) // 3 - 1
  act.hold("left", along * facing < 0)
  act.hold("right", along * facing > 0)
  act.hold("down", up < 0)
  act.hold("up", up > 0)
end

function M.do_word(facing, word)
  stick(facing, tonumber(word:sub(1, 1)))
  act.hold("light", word:find("l", 1, true) ~= nil)
  act.hold("heavy", word:find("h", 1, true) ~= nil)
  act.hold("throw", word:find("t", 1, true) ~= nil)
end

-- Goes on with what is planned; tells whether there was something.
function M.goes_on(facing)
  local plan = memory.text("plan")
  if not plan then return false end
  local word, rest = plan:match("^(%S+)%s*(.*)$")
  M.do_word(facing, word)
  if rest == "" then memory.forget("plan") else memory.set_text("plan", rest) end
  return true
end

function M.plan(facing, words)
  memory.set_text("plan", words)
  M.goes_on(facing)
end

-- What a fighter sees: both, and what lies between them.
function M.look()
  local me = view.find(view.player() == 0 and "left" or "right")
  local foe = view.find(view.player() == 0 and "right" or "left")
  local here, there = view.position(me), view.position(foe)
  local shot = view.reference(foe, "fighter.shot")
  local threat = nil
  if view.boolean(shot, "shot.is_live") then
    threat = (here.x - view.position(shot).x) * view.integer(shot, "shot.direction")
  end
  return {
    me = me,
    foe = foe,
    facing = view.integer(me, "fighter.facing"),
    gap = math.abs(there.x - here.x),
    threat = threat and threat > -0.3 and threat or nil,
    foe_height = there.y - 0.9,
    stance = view.text(me, "fighter.stance"),
    foe_stance = view.text(foe, "fighter.stance"),
    foe_phase = view.text(foe, "fighter.phase"),
    contact = view.text(me, "fighter.contact"),
    has_shot = not view.boolean(view.reference(me, "fighter.shot"), "shot.is_live"),
  }
end

return M
