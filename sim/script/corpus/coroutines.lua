return {f = function()
  local co = coroutine.wrap(function(...)
    for i = 1, 5 do coroutine.yield(i, ...) end
    error({})
  end)
  local n = 0
  while true do
    local ok, i = pcall(co, n)
    if not ok then break end
    n = n + i
  end
  return n
end}
