// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: GPL-2.0-or-later

/* What a copy of the library does for the one game that it plays. The engine
 * keeps its state in global variables, so there is a copy for each simulation
 * (plugin.c). */

#ifndef REPRISE_ADAPTERS_DOOM_ENGINE_H_
#define REPRISE_ADAPTERS_DOOM_ENGINE_H_

#include <stdint.h>

#include "reprise/simulation.h"

/* As the calls of reprise_plugin. `create` is called once, before any other. */
struct doom_engine {
  int32_t (*create)(const reprise_create_arguments* arguments,
                    reprise_error* error);
  void (*destroy)(void);
  void (*info)(reprise_info* info);
  int32_t (*step)(const reprise_step_arguments* arguments,
                  reprise_error* error);
  void (*rows)(uint32_t table, reprise_rows* rows);
  int32_t (*restore)(const reprise_list* tables, reprise_error* error);
  void (*outcome)(reprise_outcome* outcome);
  void (*frame)(const reprise_frame_arguments* arguments);
  void (*object_name)(uint64_t object, char* name, uint32_t capacity);
};

/* What a copy exports. */
REPRISE_EXPORT extern const struct doom_engine doom_engine;

#endif  // REPRISE_ADAPTERS_DOOM_ENGINE_H_
