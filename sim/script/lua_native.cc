// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/lua_native.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <optional>
#include <span>
#include <string>

#include "fmt/format.h"
#include "lauxlib.h"
#include "lua.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/script/functions/lua_host.h"
#include "sim/script/functions/lua_value.h"
#include "sim/script/functions/script_call.h"
#include "sim/script/lua_hooks.h"
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

// A value as it was given. Returns false for what can't leave a script.
bool ToScriptValue(const lua_Plain& plain, ScriptValue* value) {
  switch (plain.type) {
    case LUA_TNIL:
      *value = std::monostate();
      return true;
    case LUA_TBOOLEAN:
      *value = plain.u.b != 0;
      return true;
    case LUA_TNUMBER:
      if (plain.isinteger != 0) {
        *value = static_cast<int64_t>(plain.u.i);
      } else {
        *value = plain.u.n;
      }
      return true;
    case LUA_TSTRING:
      *value = std::string_view(plain.u.s, plain.size);
      return true;
    case LUA_TUSERDATA:
      *value = *static_cast<const Vector3*>(plain.u.p);
      return true;
    case LUA_TLIGHTUSERDATA:
      *value = HandleIn(plain.u.p);
      return true;
    default:
      return false;
  }
}

// Makes an argument that is right the parameter's value at `place`, as most are
// and without going through all that could be wrong. Returns whether it did.
bool TakeArgument(const ScriptParameter& parameter, const lua_Plain& plain,
                  void* place) {
  switch (parameter.type) {
    case ScriptType::kNumber: {
      if (plain.type != LUA_TNUMBER) return false;
      const double number =
          plain.isinteger != 0 ? static_cast<double>(plain.u.i) : plain.u.n;
      if (!IsInRange(number, parameter)) return false;
      new (place) ScriptValue(number);
      return true;
    }
    case ScriptType::kInteger:
      if (plain.type != LUA_TNUMBER || plain.isinteger == 0 ||
          !IsInRange(static_cast<double>(plain.u.i), parameter)) {
        return false;
      }
      new (place) ScriptValue(static_cast<int64_t>(plain.u.i));
      return true;
    case ScriptType::kString:
      if (plain.type != LUA_TSTRING) return false;
      new (place) ScriptValue(std::string_view(plain.u.s, plain.size));
      return true;
    case ScriptType::kHandle:
      if (plain.type != LUA_TLIGHTUSERDATA) return false;
      new (place) ScriptValue(HandleIn(plain.u.p));
      return true;
    case ScriptType::kVector: {
      if (plain.type != LUA_TUSERDATA) return false;
      const auto& vector = *static_cast<const Vector3*>(plain.u.p);
      if (!IsFiniteVector(vector)) return false;
      new (place) ScriptValue(vector);
      return true;
    }
    case ScriptType::kAny:
      if (plain.type == LUA_TNUMBER && plain.isinteger != 0) {
        new (place) ScriptValue(static_cast<int64_t>(plain.u.i));
        return true;
      }
      // Others may be right, too.
      if (plain.type != LUA_TNUMBER || !IsFinite(plain.u.n)) return false;
      new (place) ScriptValue(static_cast<double>(plain.u.n));
      return true;
    default:
      return false;
  }
}

// What a function is given. Values are set before they are read: most functions
// take few of so many.
union Arguments {
  Arguments() {}  // NOLINT: nothing is set
  std::array<ScriptValue, kScriptParametersMax> values;
};

// Takes arguments that are right, as most are. Returns false where
// ReadArguments has to look at them.
bool TakeArguments(const ScriptFunction& function,
                   std::span<const lua_Plain> given, int count,
                   std::span<ScriptValue> values) {
  const auto given_count = static_cast<size_t>(count);
  if (given_count > values.size()) return false;
  for (size_t i = 0; i < values.size(); ++i) {
    const ScriptParameter& parameter = function.parameters[i];
    if (i < given_count) {
      if (!TakeArgument(parameter, given[i], &values[i])) return false;
    } else {
      if (!parameter.is_optional) return false;
      new (&values[i]) ScriptValue();
    }
  }
  return true;
}

// Returns what is wrong with the arguments, or nothing. Out of line, as all
// that most calls have no need of.
[[gnu::noinline]] std::string ReadArguments(lua_State* lua,
                                            const ScriptFunction& function,
                                            std::span<const lua_Plain> given,
                                            int count,
                                            std::span<ScriptValue> values) {
  if (count > static_cast<int>(values.size())) {
    return fmt::format("{}: {} arguments; {} is the most", function.name, count,
                       values.size());
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const ScriptParameter& parameter = function.parameters[i];
    ScriptValue& value = *new (&values[i]) ScriptValue();
    const bool is_given = static_cast<int>(i) < count;
    const bool is_value = !is_given || ToScriptValue(given[i], &value);
    const bool is_absent =
        is_value && std::holds_alternative<std::monostate>(value);
    if (is_absent && parameter.is_optional) continue;
    if (is_value && Convert(parameter, &value)) continue;
    return fmt::format(
        "{}: '{}' is {}, not {}", function.name, parameter.name,
        FoundOf(value, is_value,
                is_value ? "" : lua_typename(lua, given[i].type)),
        WantedOf(parameter));
  }
  return "";
}

// Tells whoever looks on at calls of one, from here to the end of the block.
class WatchedCall {
 public:
  WatchedCall(lua_State* lua, const ScriptFunction& function,
              const LuaHost& host)
      : watcher_(function.is_pure ? nullptr : host.call_watcher) {
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

// The error that a function is left with.
std::string FailureOf(const ScriptFunction& function,
                      const absl::Status& status) {
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

int Raise(lua_State* lua, const std::string& problem) {
  return luaL_error(lua, "%s", problem.c_str());
}

[[gnu::noinline]] int RaiseFailure(lua_State* lua,
                                   const ScriptFunction& function,
                                   const absl::Status& status) {
  return Raise(lua, FailureOf(function, status));
}

// Raises what is wrong with the arguments, if anything is.
[[gnu::noinline]] void CheckArguments(lua_State* lua,
                                      const ScriptFunction& function,
                                      std::span<const lua_Plain> given,
                                      int count,
                                      std::span<ScriptValue> values) {
  const std::string problem =
      ReadArguments(lua, function, given, count, values);
  if (!problem.empty()) Raise(lua, problem);
}

// Raises why the function can't be called now, if it can't.
[[gnu::noinline]] void CheckMoment(lua_State* lua,
                                   const ScriptFunction& function,
                                   const LuaHost& host) {
  if (!function.is_pure && host.context == nullptr) {
    Raise(lua, fmt::format("{}: not while scripts are loaded", function.name));
  }
  if (host.hook_depth == 0) return;
  const std::string refusal = RefusalInHook(lua, function);
  if (!refusal.empty()) Raise(lua, refusal);
}

// Returns how many values it left on the stack.
int Run(lua_State* lua, const ScriptFunction& function, void* context,
        std::span<const ScriptValue> arguments) {
  ScriptCall call(lua, &function, context, arguments);
  const absl::Status status = function.native(call);
  if (!status.ok()) return RaiseFailure(lua, function, status);
  if (function.result.type == ScriptType::kNil) return 0;
  if (!call.has_returned()) call.Return(std::monostate());
  return 1;
}

// The same, with all who look on.
[[gnu::noinline]] int RunLookedOn(lua_State* lua,
                                  const ScriptFunction& function,
                                  const LuaHost& host,
                                  std::span<const ScriptValue> arguments) {
  if (!host.hooks.empty()) {
    RunHooks(lua, function, HookTime::kBefore, arguments);
  }
  const WatchedCall watched(lua, function, host);
  const int count = Run(lua, function, host.context, arguments);
  if (!host.hooks.empty()) {
    RunHooks(lua, function, HookTime::kAfter, arguments);
  }
  return count;
}

int CallNative(lua_State* lua) {
  std::array<lua_Plain, kScriptParametersMax> given;
  void* upvalue = nullptr;
  const int count =
      lua_takecall(lua, given.data(), kScriptParametersMax, &upvalue);
  const auto& function = *static_cast<const ScriptFunction*>(upvalue);
  const LuaHost& host = HostOf(lua);
  if (host.context == nullptr || host.hook_depth > 0) {
    CheckMoment(lua, function, host);
  }
  Arguments storage;
  const std::span<ScriptValue> arguments(storage.values.data(),
                                         function.parameters.size());
  if (!TakeArguments(function, given, count, arguments)) {
    CheckArguments(lua, function, given, count, arguments);
  }
  if (!host.hooks.empty() || host.call_watcher != nullptr) {
    return RunLookedOn(lua, function, host, arguments);
  }
  return Run(lua, function, host.context, arguments);
}

}  // namespace

void PushNative(lua_State* lua, const ScriptFunction& function) {
  // Nobody writes through it.
  lua_pushlightuserdata(lua, const_cast<ScriptFunction*>(&function));
  lua_pushcclosure(lua, CallNative, 1);
}

}  // namespace reprise::sim
