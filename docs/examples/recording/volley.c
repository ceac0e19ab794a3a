// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

/* A game that knows nothing of Reprise but how to write a recording: a ball
 * falls, a player moves below it and hits it back up. Three hits win.
 *
 *   cc -I include docs/examples/recording/volley.c -o volley
 *   ./volley run.mcap        records a run
 *   ./volley run.mcap 90     records one in which the ball is heavier from tick
 *                            90 on, as a mistake of a programmer might make it
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define REPRISE_RECORDING_IMPLEMENTATION
#include "reprise/recording.h"

/* All in thousandths of a metre, and of a metre a tick. */
typedef struct state {
  int64_t ball_x, ball_y, ball_speed_x, ball_speed_y;
  int64_t player_x;
  int64_t hits;
} state;

/* FNV-1a, of the numbers rather than of their bytes in memory. Any digest will
 * do that covers all of the state. */
static uint64_t digest(const int64_t* numbers, int count) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (int i = 0; i < 8 * count; ++i) {
    hash ^= (uint64_t)numbers[i / 8] >> (8 * (i % 8)) & 255;
    hash *= UINT64_C(0x100000001b3);
  }
  return hash;
}

/* One for each room: "ball" and "player". */
static void digests_of(const state* now, uint64_t digests[2]) {
  const int64_t ball[] = {now->ball_x, now->ball_y, now->ball_speed_x,
                          now->ball_speed_y};
  const int64_t player[] = {now->player_x, now->hits};
  digests[0] = digest(ball, 4);
  digests[1] = digest(player, 2);
}

/* Whoever plays: to where the ball is. Axis 0 is left and right. */
static reprise_device play(const state* now) {
  reprise_device device = {0};
  const int64_t way = now->ball_x - now->player_x;
  device.axes[0] = (int16_t)(way > 40 ? 32767 : way < -40 ? -32767 : 0);
  return device;
}

/* Returns whether the ball was hit. */
static int step(state* now, const reprise_device* device, int64_t weight) {
  now->player_x += device->axes[0] / 800;
  now->ball_speed_y -= weight;
  now->ball_x += now->ball_speed_x;
  now->ball_y += now->ball_speed_y;
  if (now->ball_x < 0 || now->ball_x > 9000) now->ball_speed_x *= -1;
  if (now->ball_y > 0 || llabs(now->ball_x - now->player_x) > 500) return 0;
  now->ball_y = 0;
  now->ball_speed_y = 110;
  ++now->hits;
  return 1;
}

int main(int argc, char** argv) {
  const uint64_t mistake = argc > 2 ? strtoull(argv[2], NULL, 10) : UINT64_MAX;
  const reprise_recording_options options = {.game = "volley",
                                             .pack = "hall",
                                             .build = "volley 1.0",
                                             .rooms = "ball,player",
                                             .seed = 1};
  state now = {
      .ball_x = 2000, .ball_y = 3000, .ball_speed_x = 25, .player_x = 1500};
  uint64_t digests[2];
  if (argc < 2) return 2;
  reprise_recording* const recording = reprise_record_begin(argv[1], &options);
  if (recording == NULL) return 1;
  for (uint64_t tick = 0; tick < 3600 && now.hits < 3 && now.ball_y >= 0;
       ++tick) {
    const reprise_device device = play(&now);
    digests_of(&now, digests);
    reprise_record_state(recording, digests);
    reprise_record_input(recording, 0, &device);
    if (step(&now, &device, tick < mistake ? 2 : 3)) {
      reprise_record_event(recording, "hit", "ball");
    }
  }
  digests_of(&now, digests);
  return reprise_record_end(recording, digests,
                            now.hits == 3 ? REPRISE_WON : REPRISE_LOST,
                            now.hits == 3 ? "three hits" : "the ball fell");
}
