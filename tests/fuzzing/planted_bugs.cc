// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzzing/planted_bugs.h"

#include <array>

namespace reprise::tests {
namespace {

constexpr auto kBugs = std::to_array<PlantedBug>({
    // Fighters leave the stage.
    {.name = "fighter_edge",
     .pack = "fighter",
     .file = "scripts/fighter.lua",
     .from = "math.max(-most, math.min(most, at.x))",
     .to = "at.x",
     .always = "",
     .maximize = "",
     .signature = "always on_the_stage"},
    // A blow takes more than there is left.
    {.name = "fighter_health",
     .pack = "fighter",
     .file = "scripts/fighter.lua",
     .from = "math.max(blocked and 1 or 0, health)",
     .to = "health",
     .always = "",
     .maximize = "",
     .signature = "unreachable property_refused"},
    // A wall of the maze has a hole to the outside.
    {.name = "ghosts_hole",
     .pack = "ghosts",
     .file = "scripts/maze.lua",
     .from = "\"#     #ppppp#     #\"",
     .to = "\"      #ppppp#     #\"",
     .always = "",
     .maximize = "",
     .signature = "always in_the_maze"},
    // The game goes on without a life.
    {.name = "ghosts_lives",
     .pack = "ghosts",
     .file = "scripts/referee.lua",
     .from = "own.get(\"match.lives\") == 0",
     .to = "own.get(\"match.lives\") < 0",
     .always = "",
     .maximize = "",
     .signature = "unreachable property_refused"},
    // The ground ends.
    {.name = "harbour_edge",
     .pack = "harbour",
     .file = "pack.txtpb",
     .from = "shapes { plane { normal { y: 1 } } }",
     .to = "shapes { box { half_extents { x: 12 y: 0.5 z: 12 } } "
           "position { y: -0.5 } }",
     .always = "docker.bodies.position.y > -2",
     .maximize = "",
     .signature = "always harbour_edge"},
    // Who falls is still in the game.
    {.name = "marble_abyss",
     .pack = "marble",
     .file = "pack.txtpb",
     .from = "hazard { reason: \"the marble fell off the course\" }",
     .to = "",
     .always = "player.bodies.position.y > -12",
     .maximize = "",
     .signature = "always marble_abyss"},
    // A wall of the room is missing.
    {.name = "parlour_wall",
     .pack = "parlour",
     .file = "pack.txtpb",
     .from =
         "objects { name: \"south\" type: \"wall\" position { y: 2 z: -10 } "
         "rotation_degrees { y: 90 } }",
     .to = "",
     .always = "",
     .maximize = "",
     .signature = "always above_the_floor"},
    // A paddle leaves the court on one side.
    {.name = "pong_paddle",
     .pack = "pong",
     .file = "scripts/paddle.lua",
     .from = "math.max(-most, math.min(most, z))",
     .to = "math.min(most, z)",
     .always = "left.bodies.position.z > -4.5",
     .maximize = "",
     .signature = "always pong_paddle"},
    // The match goes on behind its last point.
    {.name = "pong_points",
     .pack = "pong",
     .file = "scripts/court.lua",
     .from = "points == parameter.get(\"points\")",
     .to = "points > parameter.get(\"points\")",
     .always = "court.score.left < 22 and court.score.right < 22",
     .maximize = "max(court.score.left, court.score.right)",
     .signature = "always pong_points"},
    // Each return makes the ball a fifth faster, without a bound.
    {.name = "pong_speed",
     .pack = "pong",
     .file = "scripts/ball.lua",
     .from = "math.min(velocity:length() * parameter.get(\"gain\"), "
             "parameter.get(\"speed_max\"))",
     .to = "velocity:length() * 1.2",
     .always = "abs(ball.velocity.x) < 22.5",
     .maximize = "abs(ball.velocity.x)",
     .signature = "always pong_speed"},
});

}  // namespace

std::span<const PlantedBug> PlantedBugs() { return kBugs; }

}  // namespace reprise::tests
