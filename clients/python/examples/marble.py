#!/usr/bin/python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Plays marble by chance: the farther along z, the better."""

import reprise

with reprise.Server() as server:
  env = reprise.Env(
      server.address, "marble",
      observe=["player.bodies.position", "player.bodies.linear_velocity"],
      reward="player.bodies.linear_velocity.z / 60",
      terminated="player.bodies.position.y < -5",
      ticks_max=600, ticks_per_step=6)
  env.action_space.seed(1)
  seen, info = env.reset(seed=7)
  total = 0.0
  while True:
    seen, reward, terminated, truncated, info = env.step(
        env.action_space.sample())
    total += reward
    if terminated or truncated:
      break
  print(f"tick {info['tick']}, {info['outcome']}, return {total:.2f}")
  env.close()
