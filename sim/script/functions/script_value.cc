// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/functions/script_value.h"

namespace reprise::sim {

std::string_view ScriptTypeName(ScriptType type) {
  switch (type) {
    case ScriptType::kNil:
      return "nil";
    case ScriptType::kBoolean:
      return "boolean";
    case ScriptType::kInteger:
      return "integer";
    case ScriptType::kNumber:
      return "number";
    case ScriptType::kString:
      return "string";
    case ScriptType::kVector:
      return "vector";
    case ScriptType::kHandle:
      return "handle";
    case ScriptType::kAny:
      return "any";
  }
  return "?";
}

}  // namespace reprise::sim
