-- A castle stands until it is struck down, and says so.

return {
  help = "stands until it is struck down",
  on = {
    struck = function()
      local health = own.get("castle.health")
      if health <= 0 then return end
      health = math.max(0, health - event.get("damage"))
      own.set("castle.health", health)
      if health > 0 then return end
      event.give("side", own.get("side.name"))
      event.post("castle_fell")
    end,
  },
}
