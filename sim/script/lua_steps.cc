// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/lua_steps.h"

#include <cstddef>
#include <optional>
#include <vector>

#include "lua.h"
#include "sim/script/functions/lua_host.h"
#include "sim/script/lua_locals.h"
#include "sim/script/script_probes.h"
#include "sim/script/script_profile.h"
#include "sim/script/script_watcher.h"

namespace reprise::sim {
namespace {

// No limits and no steps for as long as it lives: going through a table charges
// what it costs.
class Uncounted {
 public:
  explicit Uncounted(lua_State* lua)
      : lua_(lua),
        instructions_(lua_budgetleft(lua, LUA_INSTRUCTIONS)),
        bytes_(lua_budgetleft(lua, LUA_BYTES)) {
    FollowSteps(lua, false);
    lua_setbudget(lua, LUA_MAXINTEGER, LUA_MAXINTEGER);
  }
  ~Uncounted() {
    lua_setbudget(lua_, instructions_, bytes_);
    FollowSteps(lua_, true);
  }
  Uncounted(const Uncounted&) = delete;
  Uncounted& operator=(const Uncounted&) = delete;

 private:
  lua_State* lua_;
  lua_Integer instructions_;
  lua_Integer bytes_;
};

void OnStep(lua_State* lua, const lua_Step* step) {
  LuaHost& host = HostOf(lua);
  const std::optional<ScriptLine> line =
      host.profile->Count({.function = step->function,
                           .instruction = step->pc,
                           .from = step->from,
                           .is_charge = step->from == LUA_CHARGED,
                           .instructions = step->instructions});
  if (host.watcher == nullptr || !line || !host.watcher->Wants(*line)) return;
  const Uncounted uncounted(lua);
  host.watcher->OnLine(ReadVisit(lua, *line, *host.watcher), host.context);
}

using FunctionCode = std::vector<ScriptInstruction>;

void AddInstruction(void* data, const lua_Code* code) {
  auto& functions = *static_cast<std::vector<FunctionCode>*>(data);
  if (code->pc == 0) functions.emplace_back();
  functions.back().push_back({.line = code->line,
                              .is_entry = code->isentry != 0,
                              .is_branch = code->isbranch != 0,
                              .next = {code->next[0], code->next[1]}});
}

int ChooseProbe(void* data, int function, int instruction) {
  const ScriptProbe probe =
      static_cast<const ScriptProbes*>(data)->ProbeOf(function, instruction);
  return (probe.runs ? LUA_PROBERUN : 0) | (probe.ways ? LUA_PROBEWAY : 0);
}

void OnProbe(lua_State* lua, int function, int instruction, int next) {
  ScriptProbes& probes = *HostOf(lua).probes;
  if (next < 0) {
    probes.OnRun(function, instruction);
  } else {
    probes.OnWay(function, instruction, next);
  }
}

}  // namespace

void FollowSteps(lua_State* lua, bool is_following) {
  lua_setstep(lua, is_following ? OnStep : nullptr);
}

void ListFunctions(lua_State* lua, int file) {
  ScriptProfile& profile = *HostOf(lua).profile;
  std::vector<FunctionCode> functions;
  lua_listcode(lua, -1, profile.function_count() + 1, AddInstruction,
               &functions);
  for (const FunctionCode& code : functions) profile.AddFunction(file, code);
}

void PlaceProbes(lua_State* lua) {
  lua_setprobes(lua, -1, ChooseProbe, HostOf(lua).probes);
}

void FollowProbes(lua_State* lua, bool is_following) {
  lua_setprobe(lua, is_following ? OnProbe : nullptr);
}

}  // namespace reprise::sim
