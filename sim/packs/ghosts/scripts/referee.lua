-- The referee lays out crumbs, keeps time and score, and sees who meets whom
-- when all have moved.

local maze = require("scripts/maze")

local M = {
  help = "keeps time and score, and sees who meets whom",
  reads_others = true,
  parameters = {
    levels = { default = 1, minimum = 1, maximum = 99, help = "that have to be cleared" },
    ready = { default = 60, minimum = 1, maximum = 6000, unit = "ticks", help = "before a round" },
    scatter = { default = 420, minimum = 1, maximum = 60000, unit = "ticks", help = "of the first level; less in each that follows" },
    chase = { default = 1200, minimum = 1, maximum = 60000, unit = "ticks", help = "of the first level; more in each that follows" },
    fear = { default = 360, minimum = 1, maximum = 6000, unit = "ticks", help = "after a charm" },
    touch = { default = 0.6, minimum = 0.1, maximum = 1, unit = "m", help = "from middle to middle" },
    caught = { default = 200, minimum = 0, help = "points of the first ghost of a charm; twice as many for each that follows" },
  },
}

local ghosts = { "ambusher", "chaser", "flanker", "loner" }

local function add(property, amount)
  own.set(property, own.get(property) + amount)
end

local function lay_out()
  local count = 0
  for row = 0, maze.row_count - 1 do
    for column = 0, maze.columns - 1 do
      local tile = maze.rows[row + 1]:sub(column + 1, column + 1)
      if tile == "." or tile == "*" then
        world.spawn(tile == "*" and "charm" or "crumb", maze.centre(column, row))
        count = count + 1
      end
    end
  end
  return count
end

-- Each level has ghosts scatter for a fifth less, and chase for a fifth more.
local function ticks_of(mode)
  local level = own.get("match.level") - 1
  if mode == "scatter" then return math.max(60, parameter.get("scatter") * (5 - level) // 5) end
  return parameter.get("chase") * (5 + level) // 5
end

local function enter_mode(mode)
  own.set("match.mode", mode)
  own.set("match.clock", ticks_of(mode))
end

local function get_ready()
  own.set("match.stage", "ready")
  own.set("match.ready", parameter.get("ready"))
end

local function begin_round()
  event.post("round_begins")
  own.set("match.fear", 0)
  own.set("match.chain", 0)
  enter_mode("scatter")
  get_ready()
end

local function change_mode()
  enter_mode(own.get("match.mode") == "scatter" and "chase" or "scatter")
  event.give("mode", own.get("match.mode"))
  event.post("mode_changes")
end

-- While ghosts are frightened the clock of their mode stands still.
local function keep_time()
  local fear = own.get("match.fear")
  if fear > 0 then
    own.set("match.fear", fear - 1)
    if fear == 1 then
      own.set("match.chain", 0)
      event.post("fear_ends")
    end
    return
  end
  add("match.clock", -1)
  if own.get("match.clock") <= 0 then change_mode() end
end

local function catch(ghost)
  local chain = own.get("match.chain")
  add("match.score", parameter.get("caught") << chain)
  own.set("match.chain", chain + 1)
  add("match.caught", 1)
  event.post("caught", ghost)
end

local function lose_life()
  add("match.lives", -1)
  event.post("runner_caught")
  if own.get("match.lives") == 0 then
    own.set("match.stage", "over")
    event.post("lives_gone")
    return
  end
  begin_round()
end

local function judge_meetings()
  local runner = other.position_now(world.find("runner"))
  for _, name in ipairs(ghosts) do
    local ghost = world.find(name)
    if (other.position_now(ghost) - runner):length() < parameter.get("touch") then
      local mood = other.now(ghost, "script.state")
      if mood == "frightened" then
        catch(ghost)
      elseif mood == "scatter" or mood == "chase" then
        lose_life()
        return
      end
    end
  end
end

local function clear_level()
  if own.get("match.level") >= parameter.get("levels") then
    own.set("match.stage", "over")
    event.post("maze_cleared")
    return
  end
  add("match.level", 1)
  own.set("match.crumbs", lay_out())
  begin_round()
end

-- What the pack sets of a match is where it begins.
function M.spawn()
  local count = lay_out()
  if own.get("match.crumbs") == 0 then own.set("match.crumbs", count) end
  if own.get("match.clock") == 0 then enter_mode("scatter") end
  get_ready()
end

function M.update()
  local stage = own.get("match.stage")
  if stage == "ready" then
    add("match.ready", -1)
    if own.get("match.ready") == 0 then own.set("match.stage", "play") end
  elseif stage == "play" then
    keep_time()
    judge_meetings()
  end
end

M.on = {
  crumb_taken = function()
    if own.get("match.stage") == "over" then return end
    add("match.score", event.get("points"))
    add("match.crumbs", -1)
    if own.get("match.crumbs") == 0 then clear_level() end
  end,
  charm_taken = function()
    own.set("match.fear", parameter.get("fear"))
    own.set("match.chain", 0)
  end,
}

return M
