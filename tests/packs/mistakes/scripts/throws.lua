-- Fails in all that it is called for: which comes first is drawn.

local function fail(where) error("no more " .. where .. " of " .. own.serial()) end

local M = { on = {} }

function M.spawn() if world.random() < 0.2 then fail("coming") end end

function M.update()
  own.set("life.age", own.get("life.age") + 1)
  if world.random() < 0.1 then fail("updates") end
  if own.get("life.age") > 20 then world.destroy() end
end

function M.after_physics() if world.random() < 0.1 then own.set("life.age", 0.5) end end

function M.destroyed() fail("going") end

function M.on.storm() if world.random() < 0.01 then fail("storms") end end

return M
