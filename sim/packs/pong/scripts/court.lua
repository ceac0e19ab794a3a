-- The court counts points, and says who has all that it takes.

return {
  help = "counts points",
  parameters = {
    points = { default = 11, minimum = 1, help = "that it takes to win" },
  },
  on = {
    point = function()
      local winner = event.get("winner")
      local points = own.get("score." .. winner) + 1
      own.set("score." .. winner, points)
      if points == parameter.get("points") then
        event.post(winner == "left" and "left_leads" or "right_leads")
      end
    end,
  },
}
