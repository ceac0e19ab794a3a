// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Types of values as a pack says them.

#ifndef REPRISE_SIM_COMPILER_CHECKING_PROPERTY_TYPES_H_
#define REPRISE_SIM_COMPILER_CHECKING_PROPERTY_TYPES_H_

#include <optional>

#include "reprise/v1/pack.pb.h"
#include "sim/base/property_type.h"

namespace reprise::sim {

// nullopt for TYPE_UNSPECIFIED and numbers without a name.
std::optional<PropertyType> PropertyTypeOf(v1::Property::Type type);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_CHECKING_PROPERTY_TYPES_H_
