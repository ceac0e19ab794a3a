// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/functions/lua_error.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "lauxlib.h"
#include "lua.h"
#include "sim/script/functions/lua_host.h"

namespace reprise::sim {
namespace {

ScriptFrame FrameOf(const lua_Debug& info) {
  ScriptFrame frame = {.function = NameOfFunction(info), .file = "", .line = 0};
  if (std::string_view(info.what) != "C") {
    // Behind the '=' that makes it a name.
    frame.file = info.source + 1;
    frame.line = info.currentline;
  }
  return frame;
}

}  // namespace

std::string NameOfFunction(const lua_Debug& info) {
  const std::string_view what = info.what;
  const std::string_view kind = info.namewhat;
  if (what == "main") return "main chunk";
  if (what == "C") {
    if (info.name == nullptr) return "native function";
    return fmt::format("native '{}'", info.name);
  }
  if (info.name == nullptr) {
    return fmt::format("function of line {}", info.linedefined);
  }
  if (kind == "method" || kind == "metamethod") {
    return fmt::format("{} '{}'", kind, info.name);
  }
  return fmt::format("function '{}'", info.name);
}

ScriptError MakeScriptError(lua_State* lua, ScriptErrorKind kind, int level,
                            std::string message) {
  ScriptError error = {.kind = kind,
                       .file = "",
                       .line = 0,
                       .message = std::move(message),
                       .frames = {}};
  lua_Debug info;
  for (int count = 0; count < kScriptFramesMax; ++count) {
    if (lua_getstack(lua, level + count, &info) == 0) break;
    lua_getinfo(lua, "nSl", &info);
    error.frames.push_back(FrameOf(info));
  }
  // The one that everything was called by.
  if (!error.frames.empty() &&
      lua_getstack(lua, level + static_cast<int>(error.frames.size()), &info) ==
          0 &&
      error.frames.back().function == "native function") {
    error.frames.pop_back();
  }
  // Lua puts the place in front of most messages; error() may name a caller's.
  for (const ScriptFrame& frame : error.frames) {
    if (frame.file.empty()) continue;
    if (error.file.empty()) {
      error.file = frame.file;
      error.line = frame.line;
    }
    const std::string place = fmt::format("{}:{}: ", frame.file, frame.line);
    if (error.message.rfind(place, 0) != 0) continue;
    error.file = frame.file;
    error.line = frame.line;
    // Twice, if it came through a coroutine.
    while (error.message.rfind(place, 0) == 0) {
      error.message.erase(0, place.size());
    }
    break;
  }
  return error;
}

int KeepError(lua_State* lua) {
  std::string message;
  if (lua_isstring(lua, 1) != 0) {
    size_t size = 0;
    const char* const text = lua_tolstring(lua, 1, &size);
    message.assign(text, size);
  } else {
    message = fmt::format("an error that is a {} value", luaL_typename(lua, 1));
  }
  HostOf(lua).error = MakeScriptError(lua, ScriptErrorKind::kRuntime,
                                      /*level=*/1, std::move(message));
  return 0;
}

void KeepOverrun(lua_State* lua, int resource) {
  const bool is_bytes = resource == LUA_BYTES;
  HostOf(lua).error = MakeScriptError(
      lua, is_bytes ? ScriptErrorKind::kBytes : ScriptErrorKind::kInstructions,
      /*level=*/0,
      is_bytes ? "the budget of bytes is used up"
               : "the budget of instructions is used up");
}

}  // namespace reprise::sim
