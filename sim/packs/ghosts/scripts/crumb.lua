-- A crumb, or a charm, is gone once it is eaten, and says so.

return {
  help = "is there until it is eaten",
  on = {
    eaten = function()
      if own.get("crumb.is_eaten") then return end
      own.set("crumb.is_eaten", true)
      event.give("points", own.get("crumb.points"))
      event.post("crumb_taken")
      if own.get("crumb.is_charm") then event.post("charm_taken") end
      world.destroy()
    end,
  },
}
