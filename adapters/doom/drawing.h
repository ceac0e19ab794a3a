// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: GPL-2.0-or-later

/* What there is to see of a level, and how its things are called. */

#ifndef REPRISE_ADAPTERS_DOOM_DRAWING_H_
#define REPRISE_ADAPTERS_DOOM_DRAWING_H_

#include <stdint.h>

#include "reprise/simulation.h"

/* Things as cylinders, then walls as boxes, in metres: 32 units each. */
void doom_draw_frame(const reprise_frame_arguments* arguments);

/* mobj_57, door_3: the table and the number of a thinker. */
void doom_name_object(uint64_t object, char* name, uint32_t capacity);

#endif  // REPRISE_ADAPTERS_DOOM_DRAWING_H_
