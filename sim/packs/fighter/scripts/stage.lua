-- What the scripts of the game share.

return {
  half_width = 6.0, -- m, from the middle to where fighters can't go on
  half_height = 0.9, -- m, from a fighter's feet to its middle
  half_depth = 0.4, -- m, from a fighter's middle to its front
  gravity = 22.0, -- m/s^2
  down_ticks = 40, -- on the floor
  free = { stand = true, walk = true, retreat = true, crouch = true, air = true },
  helpless = { hit = true, down = true },
}
