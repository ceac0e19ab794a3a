-- Goes in its third tick, and fails in that.

return {
  update = function()
    own.set("life.age", own.get("life.age") + 1)
    if own.get("life.age") == 3 then world.destroy() end
  end,
  destroyed = function() error("no more going of " .. own.serial()) end,
}
