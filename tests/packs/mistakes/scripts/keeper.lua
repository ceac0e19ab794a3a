-- Counts the mistakes of the others, and makes new ones where they were.

local kinds = { "loops", "makes", "calls", "storms", "fills", "spawns", "sorts", "throws", "steps", "leaves", "halves", "around" }

return {
  update = function()
    local tick = world.tick()
    if tick % 20 ~= 0 then return end
    local kind = kinds[tick // 20 % #kinds + 1]
    world.spawn(kind, vector(tick % 7, 0, tick % 11), kind .. tick)
  end,
  on = {
    script_failed = function()
      own.set("tally.mistakes", own.get("tally.mistakes") + 1)
      own.set("tally.lines", own.get("tally.lines") + event.get("line"))
    end,
  },
}
