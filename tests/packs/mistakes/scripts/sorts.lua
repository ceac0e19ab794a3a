-- Sorts by an order that is none, and looks for what takes without end to find.

return {
  update = function()
    own.set("life.age", own.get("life.age") + 1)
    local list = {}
    for i = 1, 500 do list[i] = world.random() end
    local ok, message = pcall(table.sort, list, function() return true end)
    own.set("life.word", ok and "sorted" or message:sub(1, 200))
    own.set("life.sum", list[1] + list[250])
    if own.get("life.age") == 2 then
      local text = ("a"):rep(300)
      text:find(("a*"):rep(30) .. "b")
    end
  end,
}
