// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/functions/script_call.h"

#include "lua.h"
#include "sim/base/math.h"
#include "sim/script/functions/lua_value.h"

namespace reprise::sim {
namespace {

bool Gives(const ScriptResult& result, ScriptType type) {
  return result.type == type || result.type == ScriptType::kAny;
}

}  // namespace

void ScriptCall::Return(const ScriptValue& value) {
  CHECK(!has_returned_, "{}", function_->name);
  has_returned_ = true;
  const ScriptResult& result = function_->result;
  bool is_result = false;
  switch (ScriptTypeOf(value)) {
    case ScriptType::kNumber:
      is_result = Gives(result, ScriptType::kNumber) &&
                  !IsNan(*std::get_if<double>(&value));
      break;
    case ScriptType::kInteger:
      is_result = Gives(result, ScriptType::kInteger) ||
                  result.type == ScriptType::kNumber;
      break;
    case ScriptType::kHandle:
      is_result = std::get_if<Handle>(&value)->is_null()
                      ? result.may_be_nil
                      : Gives(result, ScriptType::kHandle);
      break;
    case ScriptType::kNil:
      is_result = result.may_be_nil;
      break;
    default:
      is_result = Gives(result, ScriptTypeOf(value));
      break;
  }
  CHECK(is_result, "{} returns a {}", function_->name,
        ScriptTypeName(ScriptTypeOf(value)));
  PushScriptValue(lua_, value);
}

void ScriptCall::Charge(int64_t instructions) {
  CHECK(instructions >= 0, "{}", function_->name);
  lua_charge(lua_, static_cast<lua_Unsigned>(instructions));
}

}  // namespace reprise::sim
