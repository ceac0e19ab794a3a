// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: GPL-2.0-or-later

/* Which rows of a table changed since they were last asked for: most of a
 * level stands still. */

#ifndef REPRISE_ADAPTERS_DOOM_CHANGES_H_
#define REPRISE_ADAPTERS_DOOM_CHANGES_H_

#include <stdint.h>

#include "reprise/simulation.h"

/* Shows a table as it is now, and what of it isn't as at the last call. */
void doom_show_changes(uint32_t table, reprise_rows* rows);

/* Frees what is kept for it. */
void doom_free_changes(void);

#endif  // REPRISE_ADAPTERS_DOOM_CHANGES_H_
