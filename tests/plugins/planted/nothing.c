/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * No mistake.
 */

#include "tests/plugins/planted/planted.h"

void plant(const struct planted* game) { (void)game; }
