-- Posts more events than can wait.

return {
  update = function()
    own.set("life.age", own.get("life.age") + 1)
    local n = 0
    while true do
      n = n + 1
      event.give("number", n)
      if event.post("storm", nil, n % 3) then own.set("life.sum", n) end
    end
  end,
}
