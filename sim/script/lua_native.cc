// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/lua_native.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "fmt/format.h"
#include "lauxlib.h"
#include "lua.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/script/lua_hooks.h"
#include "sim/script/lua_host.h"
#include "sim/script/lua_value.h"
#include "sim/script/script_call.h"
#include "sim/script/script_watcher.h"

namespace reprise::sim {
namespace {

// "a number in m/s from 0 to 100".
std::string WantedOf(const ScriptParameter& parameter) {
  const std::string_view type = parameter.type == ScriptType::kAny
                                    ? "finite value"
                                    : ScriptTypeName(parameter.type);
  std::string text = fmt::format(
      "{} {}", parameter.type == ScriptType::kInteger ? "an" : "a", type);
  if (!parameter.unit.empty()) text += " in " + parameter.unit;
  const bool has_minimum = IsFinite(parameter.minimum);
  const bool has_maximum = IsFinite(parameter.maximum);
  if (has_minimum && has_maximum) {
    text += fmt::format(" from {} to {}", parameter.minimum, parameter.maximum);
  } else if (has_minimum) {
    text += fmt::format(" of {} or more", parameter.minimum);
  } else if (has_maximum) {
    text += fmt::format(" of {} or less", parameter.maximum);
  }
  return text;
}

// What a message says of an argument that isn't right.
std::string FoundOf(const ScriptValue& value, bool is_value,
                    std::string_view type_name) {
  if (!is_value) return fmt::format("a {}", type_name);
  switch (ScriptTypeOf(value)) {
    case ScriptType::kNil:
      return "nil";
    case ScriptType::kInteger:
      return fmt::format("{}", *std::get_if<int64_t>(&value));
    case ScriptType::kNumber: {
      const double number = *std::get_if<double>(&value);
      if (IsNan(number)) return "NaN";
      return fmt::format("{}", number);
    }
    case ScriptType::kVector: {
      const Vector3 vector = *std::get_if<Vector3>(&value);
      if (!IsFinite(vector.x) || !IsFinite(vector.y) || !IsFinite(vector.z)) {
        return "a vector that is not finite";
      }
      return "a vector";
    }
    default:
      return fmt::format("a {}", ScriptTypeName(ScriptTypeOf(value)));
  }
}

bool IsInRange(double value, const ScriptParameter& parameter) {
  return IsFinite(value) && value >= parameter.minimum &&
         value <= parameter.maximum;
}

bool IsFiniteVector(Vector3 vector) {
  return IsFinite(vector.x) && IsFinite(vector.y) && IsFinite(vector.z);
}

// Makes a value one of the parameter's type: an integer is a number, and a
// number without fraction an integer. Returns false if it is none.
bool Convert(const ScriptParameter& parameter, ScriptValue* value) {
  switch (parameter.type) {
    case ScriptType::kNumber:
      if (const auto* const integer = std::get_if<int64_t>(value)) {
        *value = static_cast<double>(*integer);
      }
      return std::holds_alternative<double>(*value) &&
             IsInRange(*std::get_if<double>(value), parameter);
    case ScriptType::kInteger:
      if (const auto* const number = std::get_if<double>(value)) {
        const std::optional<int64_t> integer = ToInt64(*number);
        if (!integer.has_value() || Floor(*number) != *number) return false;
        *value = *integer;
      }
      return std::holds_alternative<int64_t>(*value) &&
             IsInRange(static_cast<double>(*std::get_if<int64_t>(value)),
                       parameter);
    case ScriptType::kVector: {
      const auto* const vector = std::get_if<Vector3>(value);
      return vector != nullptr && IsFiniteVector(*vector);
    }
    case ScriptType::kAny:
      if (const auto* const number = std::get_if<double>(value)) {
        return IsFinite(*number);
      }
      if (const auto* const vector = std::get_if<Vector3>(value)) {
        return IsFiniteVector(*vector);
      }
      return !std::holds_alternative<std::monostate>(*value);
    default:
      return ScriptTypeOf(*value) == parameter.type;
  }
}

// Returns what is wrong with the arguments, or nothing.
std::string ReadArguments(lua_State* lua, const ScriptFunction& function,
                          std::span<ScriptValue> values) {
  const int count = lua_gettop(lua);
  if (count > static_cast<int>(values.size())) {
    return fmt::format("{}: {} arguments; {} is the most", function.name, count,
                       values.size());
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const ScriptParameter& parameter = function.parameters[i];
    const int index = static_cast<int>(i) + 1;
    const bool is_value = ReadScriptValue(lua, index, &values[i]);
    const bool is_absent =
        is_value && std::holds_alternative<std::monostate>(values[i]);
    if (is_absent && parameter.is_optional) continue;
    if (is_value && Convert(parameter, &values[i])) continue;
    return fmt::format("{}: '{}' is {}, not {}", function.name, parameter.name,
                       FoundOf(values[i], is_value, luaL_typename(lua, index)),
                       WantedOf(parameter));
  }
  return "";
}

// Tells whoever looks on at calls of one, from here to the end of the block.
class WatchedCall {
 public:
  WatchedCall(lua_State* lua, const ScriptFunction& function)
      : watcher_(function.is_pure ? nullptr : HostOf(lua).call_watcher) {
    if (watcher_ == nullptr) return;
    lua_Debug caller;
    if (lua_getstack(lua, 1, &caller) == 0) {
      watcher_ = nullptr;  // nobody called it, but the machine itself
      return;
    }
    lua_getinfo(lua, "Sl", &caller);
    watcher_->OnCall(caller.source + 1, caller.currentline);
  }
  ~WatchedCall() {
    if (watcher_ != nullptr) watcher_->OnReturn();
  }
  WatchedCall(const WatchedCall&) = delete;
  WatchedCall& operator=(const WatchedCall&) = delete;

 private:
  ScriptCallWatcher* watcher_;
};

// Returns the error that the function is left with, or nothing.
std::string Run(lua_State* lua, const ScriptFunction& function) {
  std::array<ScriptValue, kScriptParametersMax> storage;
  const std::span<ScriptValue> arguments =
      std::span(storage).first(function.parameters.size());
  if (!function.is_pure && HostOf(lua).context == nullptr) {
    return fmt::format("{}: not while scripts are loaded", function.name);
  }
  std::string problem = RefusalInHook(lua, function);
  if (problem.empty()) problem = ReadArguments(lua, function, arguments);
  if (!problem.empty()) return problem;
  RunHooks(lua, function, HookTime::kBefore, arguments);
  const WatchedCall watched(lua, function);
  ScriptCall call(lua, &function, HostOf(lua).context, arguments);
  const absl::Status status = function.native(call);
  if (!status.ok()) {
    CHECK(std::any_of(function.failures.begin(), function.failures.end(),
                      [&](const ScriptFailure& failure) {
                        return failure.code == status.code();
                      }),
          "{} fails as its description doesn't say: {}", function.name,
          status.ToString());
    return fmt::format(
        "{}: {}", function.name,
        fmt::string_view(status.message().data(), status.message().size()));
  }
  if (!call.has_returned() && function.result.type != ScriptType::kNil) {
    call.Return(std::monostate());
  }
  RunHooks(lua, function, HookTime::kAfter, arguments);
  return "";
}

int CallNative(lua_State* lua) {
  const auto& function = *static_cast<const ScriptFunction*>(
      lua_touserdata(lua, lua_upvalueindex(1)));
  const std::string problem = Run(lua, function);
  if (!problem.empty()) return luaL_error(lua, "%s", problem.c_str());
  return function.result.type == ScriptType::kNil ? 0 : 1;
}

}  // namespace

void PushNative(lua_State* lua, const ScriptFunction& function) {
  // Nobody writes through it.
  lua_pushlightuserdata(lua, const_cast<ScriptFunction*>(&function));
  lua_pushcclosure(lua, CallNative, 1);
}

}  // namespace reprise::sim
