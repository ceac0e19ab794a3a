-- Leaves the orders to the commander in the game; new units join the weakest squad.

local field = require("bots/field")

local M = {}

function M.decide()
  if memory.number("has_delegated") ~= 1 then
    memory.set_number("has_delegated", 1)
    act.command("delegate")
    act.give_integer("on", 1)
    return
  end
  local squads = field.squads(field.side())
  if #squads > 0 and view.tick() % 240 < 30 then field.muster(field.weakest(squads).number) end
end

return M
