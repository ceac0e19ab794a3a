-- Which move a player asks for. What the table of moves says of the control,
-- the posture and the move before is all there is to it.

local M = {}

local function fits(move, posture, before)
  if other.get(move, "move.posture") ~= posture then
    -- Special moves and throws are made from a crouch, too.
    if posture ~= "crouch" or other.get(move, "move.rank") < 2 then return false end
  end
  local follows = other.get(move, "move.follows")
  if not follows or follows == "" then return true end
  return before ~= nil and other.get(before, "move.name") == follows
end

-- The move of the highest rank whose control goes down in this step, or nil.
function M.asked(who, posture, before)
  local best, rank = nil, 0
  for i = 1, query.all("move") do
    local move = query.object(i)
    if player.went_down(who, other.get(move, "move.control")) then
      local its = other.get(move, "move.rank")
      if its > rank and fits(move, posture, before) then best, rank = move, its end
    end
  end
  return best
end

-- Whether a move may begin before the one that goes on is over.
function M.goes_on(move, before)
  local follows = other.get(move, "move.follows")
  if follows and follows ~= "" then return follows == other.get(before, "move.name") end
  return other.get(move, "move.is_special") and other.get(before, "move.is_cancellable")
end

return M
