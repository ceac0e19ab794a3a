/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The plug-in of docs/plugins.md with a mistake, which the build chooses.
 */

#define reprise_plugin_describe catch_describe
#include "docs/examples/plugin/catch.c"
#undef reprise_plugin_describe

static int32_t mistaken_step(reprise_simulation* simulation,
                             const reprise_step_arguments* arguments,
                             reprise_error* error) {
#if defined(REMEMBERS)
  static double drift; /* no row shows it */
  drift += 0.001;
  simulation->game.basket_x += drift;
#endif
#if defined(CRASHES_AT_EDGE)
  if (simulation->game.basket_x > 6.1) {
    volatile int32_t* volatile nowhere = NULL;
    *nowhere = 0;
  }
#endif
  if (arguments->tick == 50) {
#if defined(CRASHES)
    abort();
#elif defined(FAILS)
    return fail(error, REPRISE_INTERNAL, "the tree is gone");
#elif defined(HANGS)
    volatile uint32_t* const count = &simulation->apple_count;
    for (;;) *count = 0;
#elif defined(OTHERWISE)
    simulation->game.basket_x += 1.0;
#endif
  }
  return step(simulation, arguments, error);
}

REPRISE_EXPORT const reprise_plugin* reprise_plugin_describe(void) {
  static reprise_plugin mistaken;
  mistaken = *catch_describe();
  mistaken.step = mistaken_step;
  return &mistaken;
}
