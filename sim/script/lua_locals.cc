// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/lua_locals.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "fmt/format.h"
#include "lua.h"
#include "sim/base/math.h"
#include "sim/base/utf8.h"
#include "sim/script/functions/lua_error.h"
#include "sim/script/functions/lua_host.h"
#include "sim/script/functions/lua_value.h"
#include "sim/script/functions/script_value.h"

namespace reprise::sim {
namespace {

// Quoted, and whatever is no printable text as \xNN.
std::string Quote(std::string_view text) {
  const bool is_cut = text.size() > kShownTextBytesMax;
  if (is_cut) text = text.substr(0, kShownTextBytesMax);
  std::string quoted = "\"";
  while (!text.empty()) {
    const size_t size = Utf8CharacterSize(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (size == 0 || first < ' ' || first == 0x7f) {
      quoted += fmt::format("\\x{:02x}", first);
      text.remove_prefix(1);
      continue;
    }
    if (first == '"' || first == '\\') quoted += '\\';
    quoted += text.substr(0, size);
    text.remove_prefix(size);
  }
  return quoted + (is_cut ? "\"..." : "\"");
}

// A number that isn't whole by its type never looks as if it were.
std::string NumberText(double number) {
  if (IsNan(number)) return "nan";  // without a sign, which differs
  std::string text = fmt::format("{}", number);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

bool IsName(std::string_view text) {
  if (text.empty() || text.size() > kShownTextBytesMax ||
      (text.front() >= '0' && text.front() <= '9')) {
    return false;
  }
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_letter && (c < '0' || c > '9') && c != '_') return false;
  }
  return true;
}

// Makes the texts of values. At most 3 values lie on the stack beside each
// other: a table, a key and its value.
class ValueTexts {
 public:
  ValueTexts(lua_State* lua, ScriptWatcher* watcher)
      : lua_(lua), watcher_(*watcher) {}

  // Of the value on the top.
  std::string Text(bool is_within_table = false) {
    switch (lua_type(lua_, -1)) {
      case LUA_TFUNCTION:
        return "function";
      case LUA_TTHREAD:
        return "coroutine";
      case LUA_TTABLE:
        return is_within_table ? "{...}" : TableText();
      default:
        break;
    }
    ScriptValue value;
    ReadScriptValue(lua_, -1, &value);
    return PlainText(value);
  }

 private:
  std::string PlainText(const ScriptValue& value) {
    switch (ScriptTypeOf(value)) {
      case ScriptType::kBoolean:
        return *std::get_if<bool>(&value) ? "true" : "false";
      case ScriptType::kInteger:
        return fmt::format("{}", *std::get_if<int64_t>(&value));
      case ScriptType::kNumber:
        return NumberText(*std::get_if<double>(&value));
      case ScriptType::kString:
        return Quote(*std::get_if<std::string_view>(&value));
      case ScriptType::kVector: {
        const Vector3 vector = *std::get_if<Vector3>(&value);
        return fmt::format("({}, {}, {})", NumberText(vector.x),
                           NumberText(vector.y), NumberText(vector.z));
      }
      case ScriptType::kHandle:
        return watcher_.NameOf(*std::get_if<Handle>(&value),
                               HostOf(lua_).context);
      case ScriptType::kNil:
      case ScriptType::kAny:
        break;
    }
    return "nil";
  }

  std::string TableText() {
    std::string text;
    int64_t place = 1;  // in the list
    size_t count = 0;
    lua_pushnil(lua_);
    while (lua_next(lua_, -2) != 0) {
      if (count++ == kShownEntriesMax) {
        text += ", ...";
        lua_pop(lua_, 2);
        break;
      }
      const std::string value = Text(/*is_within_table=*/true);
      lua_pop(lua_, 1);
      if (count > 1) text += ", ";
      const bool is_next =
          lua_isinteger(lua_, -1) != 0 && lua_tointeger(lua_, -1) == place;
      if (is_next) {
        ++place;
      } else {
        text += KeyText() + " = ";
      }
      text += value;
    }
    return "{" + text + "}";
  }

  // Of the key on the top, as in a constructor of a table.
  std::string KeyText() {
    if (lua_type(lua_, -1) == LUA_TSTRING) {
      size_t size = 0;
      const char* const bytes = lua_tolstring(lua_, -1, &size);
      const std::string_view text(bytes, size);
      if (IsName(text)) return std::string(text);
    }
    return "[" + Text(/*is_within_table=*/true) + "]";
  }

  lua_State* lua_;
  ScriptWatcher& watcher_;
};

}  // namespace

ScriptVisit ReadVisit(lua_State* lua, const ScriptLine& line,
                      ScriptWatcher& watcher) {
  ScriptVisit visit{.line = line, .function = "", .locals = {}};
  lua_Debug info;
  if (lua_getstack(lua, 0, &info) == 0) return visit;
  lua_getinfo(lua, "nS", &info);
  visit.function = NameOfFunction(info);
  ValueTexts texts(lua, &watcher);
  for (int i = 1;; ++i) {
    const char* const name = lua_getlocal(lua, &info, i);
    if (name == nullptr) break;
    // Lua's own are "(for state)" and the like.
    if (*name != '(') visit.locals.push_back({name, texts.Text()});
    lua_pop(lua, 1);
  }
  return visit;
}

}  // namespace reprise::sim
