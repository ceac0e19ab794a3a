// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/script_call.h"

#include "lua.h"
#include "sim/base/math.h"
#include "sim/script/lua_value.h"

namespace reprise::sim {
namespace {

bool IsResult(const ScriptResult& result, const ScriptValue& value) {
  const ScriptType type = ScriptTypeOf(value);
  const auto* const handle = std::get_if<Handle>(&value);
  if (type == ScriptType::kNil || (handle != nullptr && handle->is_null())) {
    return result.may_be_nil;
  }
  if (const auto* const number = std::get_if<double>(&value)) {
    return (result.type == ScriptType::kNumber ||
            result.type == ScriptType::kAny) &&
           !IsNan(*number);
  }
  if (result.type == ScriptType::kAny) return true;
  return type == result.type ||
         (type == ScriptType::kInteger && result.type == ScriptType::kNumber);
}

}  // namespace

void ScriptCall::Return(const ScriptValue& value) {
  CHECK(!has_returned_, "{}", function_->name);
  CHECK(IsResult(function_->result, value), "{} returns a {}", function_->name,
        ScriptTypeName(ScriptTypeOf(value)));
  has_returned_ = true;
  PushScriptValue(lua_, value);
}

void ScriptCall::Charge(int64_t instructions) {
  CHECK(instructions >= 0, "{}", function_->name);
  lua_charge(lua_, static_cast<lua_Unsigned>(instructions));
}

}  // namespace reprise::sim
