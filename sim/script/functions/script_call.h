// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// One call of a native function by a script: what it was given, and what it
// gives back.

#ifndef REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_CALL_H_
#define REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_CALL_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "sim/base/check.h"
#include "sim/script/functions/script_function.h"
#include "sim/script/functions/script_value.h"

struct lua_State;

namespace reprise::sim {

class ScriptCall {
 public:
  // The room's own.
  ScriptCall(lua_State* lua, const ScriptFunction* function, void* context,
             std::span<const ScriptValue> arguments)
      : lua_(lua),
        function_(function),
        context_(context),
        arguments_(arguments) {}
  ScriptCall(const ScriptCall&) = delete;
  ScriptCall& operator=(const ScriptCall&) = delete;

  // One for each parameter, of its type; nil for an optional one left out.
  // Strings live as long as the call.
  std::span<const ScriptValue> arguments() const { return arguments_; }

  bool has(size_t index) const {
    return !std::holds_alternative<std::monostate>(arguments_[index]);
  }

  // REQUIRES: that is the parameter's type, and it is there.
  bool boolean(size_t index) const { return Get<bool>(index); }
  int64_t integer(size_t index) const { return Get<int64_t>(index); }
  double number(size_t index) const { return Get<double>(index); }
  std::string_view string(size_t index) const {
    return Get<std::string_view>(index);
  }
  Vector3 vector(size_t index) const { return Get<Vector3>(index); }
  Handle handle(size_t index) const { return Get<Handle>(index); }

  // What the caller of the script handed in for functions like this one.
  template <typename T>
  T& context() const {
    CHECK(context_ != nullptr, "{}", function_->name);
    return *static_cast<T*>(context_);
  }

  // Sets the result; it may cost the script bytes. Passing a budget leaves the
  // function at once, by way of its destructors.
  // REQUIRES: once a call; it is what the description says, and never NaN.
  void Return(const ScriptValue& value);

  // Makes the script pay for work that goes beyond a few instructions. Leaves
  // as Return does. REQUIRES: not negative.
  void Charge(int64_t instructions);

  // Whether Return was called. The room's own.
  bool has_returned() const { return has_returned_; }

 private:
  template <typename T>
  const T& Get(size_t index) const {
    const T* const value = std::get_if<T>(&arguments_[index]);
    CHECK(value != nullptr, "{}, argument {}", function_->name, index);
    return *value;
  }

  lua_State* lua_;
  const ScriptFunction* function_;
  void* context_;
  std::span<const ScriptValue> arguments_;
  bool has_returned_ = false;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_CALL_H_
