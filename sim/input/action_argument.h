// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a command is given, as a pack declares it.

#ifndef REPRISE_SIM_INPUT_ACTION_ARGUMENT_H_
#define REPRISE_SIM_INPUT_ACTION_ARGUMENT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/property_type.h"
#include "sim/input/input_value.h"

namespace reprise::sim {

// One value, or a list of them.
struct ActionArgument {
  std::string name;
  PropertyType type = PropertyType::kInt;
  // Inclusive bounds of a kInt,
  int64_t minimum = 0;
  int64_t maximum = 0;
  // and of a kDouble, of each number of a vector and of each turn, in degrees,
  // of a kQuaternion.
  double number_minimum = 0.0;
  double number_maximum = 0.0;
  std::vector<std::string> choices = {};  // of a kEnum
  uint32_t bytes_max = 0;                 // of a kText
  uint32_t capacity = 0;                  // of a list; 0: one value
};

// Whether `argument` may be given `value`; INVALID_ARGUMENT says what is wrong
// and what is allowed. A whole number does for a number; a name, a text and the
// name of an object may be empty, for none.
absl::Status CheckArgument(const ActionArgument& argument,
                           const InputValue& value);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_INPUT_ACTION_ARGUMENT_H_
