-- Calls itself without end: as a function, by a metatable, in coroutines.

local function deep(n) return 1 + deep(n + 1) end

return {
  update = function()
    own.set("life.age", own.get("life.age") + 1)
    local _, message = pcall(deep, 1)
    own.set("life.word", message:sub(1, 200))
    local t = setmetatable({}, {})
    getmetatable(t).__index = function(table, key) return table[key .. "x"] end
    own.set("life.word", select(2, pcall(function() return t.a end)):sub(1, 200))
    local function nest() coroutine.wrap(nest)() end
    nest()
  end,
}
