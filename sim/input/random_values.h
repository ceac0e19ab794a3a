// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Random values of what a grammar declares: each is allowed, and all that is
// allowed can come.

#ifndef REPRISE_SIM_INPUT_RANDOM_VALUES_H_
#define REPRISE_SIM_INPUT_RANDOM_VALUES_H_

#include <cstdint>
#include <string>

#include "sim/base/random.h"
#include "sim/input/action_argument.h"
#include "sim/input/input_value.h"

namespace reprise::sim {

// UTF-8 of 0 to `bytes_max` bytes.
std::string NextText(RandomStream& stream, uint32_t bytes_max);

// Passes CheckArgument. Names and objects are made up: whether there is such an
// object depends on more than a grammar.
InputValue NextArgument(RandomStream& stream, const ActionArgument& argument);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_INPUT_RANDOM_VALUES_H_
