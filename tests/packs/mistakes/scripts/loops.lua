-- Works without end, in its last tick in a function that catches its mistakes.

return {
  update = function()
    own.set("life.age", own.get("life.age") + 1)
    if own.get("life.age") < 3 then return end
    local sum = 0.0
    local function work()
      while true do
        sum = math.sin(sum) + math.sqrt(2) * math.exp(-sum * sum)
        if sum > 1.3 then own.set("life.sum", sum) end
      end
    end
    while true do pcall(work) end
  end,
}
