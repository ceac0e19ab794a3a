-- Spawns more than there is room for.

return {
  update = function()
    own.set("life.age", own.get("life.age") + 1)
    for i = 1, math.huge do
      local one = world.spawn("shard", vector(i, 0, 0))
      if one and i % 2 == 0 then world.destroy(one) end
    end
  end,
}
