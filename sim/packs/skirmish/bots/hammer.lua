-- Everybody goes to the other's castle; new units join the first squad.

local field = require("bots/field")

return {
  decide = function()
    local castle = field.place("castle_" .. field.foe())
    for _, squad in ipairs(field.squads(field.side())) do field.send(squad, castle) end
  end,
}
