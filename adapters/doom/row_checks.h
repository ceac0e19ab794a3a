// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: GPL-2.0-or-later

/* Whether rows can be the state of this level: that what they refer to is
 * there, and that what is an index lies in its table. */

#ifndef REPRISE_ADAPTERS_DOOM_ROW_CHECKS_H_
#define REPRISE_ADAPTERS_DOOM_ROW_CHECKS_H_

#include <stdint.h>

#include "adapters/doom/state_rows.h"
#include "reprise/simulation.h"

/* Rows of one table of those that were given. */
#define DOOM_ROWS(given, table, type) ((const type*)(given)[table].rows)
#define DOOM_COUNT(given, table) ((uint32_t)(given)[table].row_count)

/* The place of a thinker's number in its table, or -1. */
int64_t doom_place_of(const reprise_rows* given, uint32_t table,
                      uint64_t number);

/* What is wrong with all tables together, or null. */
const char* doom_check_rows(const reprise_rows* given);

#endif  // REPRISE_ADAPTERS_DOOM_ROW_CHECKS_H_
