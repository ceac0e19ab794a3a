// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Functions of scripts that say something to people, `log`. It is no state.

#include <string>
#include <string_view>

#include "sim/systems/scripts/script_functions.h"
#include "sim/world/objects/world_log.h"

namespace reprise::sim {
namespace {

// Of an instruction each: whether anybody reads it costs a script nothing.
constexpr int64_t kBytesPerInstruction = 16;

template <LogLevel kLevel>
absl::Status Write(ScriptCall& call) {
  const ScriptPlace& place = PlaceOf(call);
  const std::string_view text = call.string(0);
  call.Charge(static_cast<int64_t>(text.size()) / kBytesPerInstruction);
  place.context.Log(place.object, kLevel,
                    call.has(1) ? call.string(1) : place.use.file, text);
  return absl::OkStatus();
}

}  // namespace

void AddLogFunctions(ScriptFunctions& functions) {
  const std::vector<ScriptParameter> parameters = {
      TextParameter("text", "what; beyond 1,000 bytes it is cut off"),
      Optional(TextParameter("channel",
                             "what it is about; the script's file "
                             "if left out"))};
  const std::string shown = ", shown by `reprise run --log`. It is no state.";
  functions.Add("log.debug", "Says what helps to find a mistake" + shown,
                parameters, {}, &Write<LogLevel::kDebug>);
  functions.Add("log.info", "Says what goes on" + shown, parameters, {},
                &Write<LogLevel::kInfo>);
  functions.Add("log.warning", "Says what may be wrong" + shown, parameters, {},
                &Write<LogLevel::kWarning>);
  functions.Add("log.error", "Says what is wrong" + shown, parameters, {},
                &Write<LogLevel::kError>);
}

}  // namespace reprise::sim
