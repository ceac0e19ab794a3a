-- A squad counts its units, and has its flow field lead to where it wants to be:
-- to its order while it presses on, to its own middle while it gathers, home
-- while it rests. Which of these, its captain decides, a brain (pack.txtpb).

local M = {
  help = "counts its units, takes orders, and has its flow field lead there",
  reads_others = true,
  queries = true,
}

-- The handles and places of its units, and the health of all.
local function muster_roll()
  local units, places, health = {}, {}, 0
  local count = query.all(own.get("side.name") .. "_unit")
  for i = 1, count do
    local unit = query.object(i)
    if other.get(unit, "unit.squad") == own.handle() then
      units[#units + 1] = unit
      places[#places + 1] = other.position(unit)
      health = health + other.get(unit, "unit.health") / other.get(unit, "unit.health_full")
    end
  end
  return units, places, health
end

local function middle_of(places)
  local sum = vector(0, 0, 0)
  for _, place in ipairs(places) do sum = sum + place end
  return sum * (1 / #places)
end

-- How far they are from the middle on the average, and which place is nearest.
local function spread_of(places, middle)
  local sum, nearest, least = 0, nil, nil
  for _, place in ipairs(places) do
    local distance = (place - middle):length()
    sum = sum + distance
    if not least or distance < least then nearest, least = place, distance end
  end
  return sum / #places, nearest
end

local function lead_to(place)
  local field = own.get("squad.field")
  local goal = flow.goal(field)
  if math.floor(goal.x) == math.floor(place.x) and math.floor(goal.z) == math.floor(place.z) then return end
  event.give("field", field)
  event.give("x", place.x)
  event.give("z", place.z)
  event.post("move_flow_goal", own.handle())
end

local function home()
  return other.position(world.find("castle_" .. own.get("side.name")))
end

-- Who is too weak for a well gives it up, so that others rest before they try.
local function give_up()
  if own.get("orders.task") ~= "take" or own.get("squad.strength") > 0.1 then return end
  event.give("result", "failed")
  event.post("finish_order", own.handle())
end

function M.update()
  local units, places, health = muster_roll()
  own.set("squad.count", #units)
  own.set("squad.strength", health / own.get("squad.full"))
  give_up()
  local middle, nearest = home(), nil
  if #units > 0 then
    local spread
    middle = middle_of(places)
    spread, nearest = spread_of(places, middle)
    own.set("squad.spread", spread)
  else
    own.set("squad.spread", 0)
  end
  own.set("squad.centre", middle)
  own.move_to(middle)
  local mood = own.get("squad.mood")
  if mood == "gather" and nearest then
    lead_to(nearest)
  elseif mood == "rest" then
    lead_to(home())
  else
    lead_to(own.get("squad.order"))
  end
end

M.on = {
  ordered = function()
    local place = own.get("orders.place")
    own.set("squad.order", vector(place.x, 0, place.z))
  end,
  order = function()
    if event.get("player") ~= own.get("side.player") or event.get("squad") ~= own.get("squad.number") then return false end
    local place = vector(event.get("x") + 0.5, 0, event.get("z") + 0.5)
    if not flow.cost(own.get("squad.field"), place) then
      event.post("order_refused", own.handle())
      return
    end
    own.set("squad.order", place)
  end,
}

return M
