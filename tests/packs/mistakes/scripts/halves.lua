-- Writes a half where there are whole numbers.

return {
  after_physics = function() own.set("life.age", 0.5) end,
}
