// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Values of properties as people write them: "60", "red", "0 90 0".

#ifndef REPRISE_SIM_COMPILER_READING_VALUE_TEXT_H_
#define REPRISE_SIM_COMPILER_READING_VALUE_TEXT_H_

#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "reprise/v1/value.pb.h"
#include "sim/base/property_type.h"

namespace reprise::sim {

// The value of that type that `text` stands for. Numbers have a point and no
// sign but a minus, in every locale. INVALID_ARGUMENT: what was wanted.
absl::StatusOr<v1::Value> ParseValueText(PropertyType type,
                                         std::string_view text);

// The value of a property: of a list the list of all `texts`, else exactly one.
// INVALID_ARGUMENT as above.
absl::StatusOr<v1::Value> ParseValueTexts(PropertyType type, bool is_list,
                                          std::span<const std::string> texts);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_READING_VALUE_TEXT_H_
