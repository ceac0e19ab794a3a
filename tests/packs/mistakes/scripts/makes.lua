-- Makes tables and strings without end.

return {
  update = function()
    own.set("life.age", own.get("life.age") + 1)
    local all = {}
    for i = 1, math.huge do
      all[i] = { i, ("x"):rep(i % 100), tostring(i / 3) }
      if i % 1000 == 0 then own.set("life.word", all[i][3]) end
    end
  end,
}
