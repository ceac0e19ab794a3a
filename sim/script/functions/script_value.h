// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What goes in and out of scripts: plain values. Tables, functions and
// coroutines stay inside.

#ifndef REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_VALUE_H_
#define REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_VALUE_H_

#include <cstdint>
#include <string_view>
#include <variant>

#include "sim/base/handle.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// In the order of ScriptValue's alternatives, but for the last.
enum class ScriptType : uint8_t {
  kNil,
  kBoolean,
  kInteger,
  kNumber,
  kString,
  kVector,
  kHandle,
  kAny,  // of parameters and results alone: any of the above but nil
};

// A string is any bytes, and belongs to whoever hands it out. A null handle
// becomes nil. Numbers that come out of a script are never NaN.
using ScriptValue = std::variant<std::monostate, bool, int64_t, double,
                                 std::string_view, Vector3, Handle>;

inline ScriptType ScriptTypeOf(const ScriptValue& value) {
  return static_cast<ScriptType>(value.index());
}

// "nil", "boolean", "integer", "number", "string", "vector", "handle",
// "any".
std::string_view ScriptTypeName(ScriptType type);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_VALUE_H_
