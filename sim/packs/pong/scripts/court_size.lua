-- What the scripts of the court share.

return {
  half_length = 10.0, -- m, along x
  half_width = 5.0, -- m, along z
  ball_radius = 0.25, -- m
  paddle_half_depth = 0.25, -- m
}
