// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the functions that scripts of bots may call are made with.

#ifndef REPRISE_SIM_BOTS_BOT_FUNCTIONS_H_
#define REPRISE_SIM_BOTS_BOT_FUNCTIONS_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/bots/bot.h"
#include "sim/bots/script_turn.h"
#include "sim/script/functions/script_api.h"
#include "sim/script/functions/script_call.h"
#include "sim/script/functions/script_function.h"

namespace reprise::sim {

inline const PlayerView& ViewOf(ScriptCall& call) {
  return call.context<ScriptTurn>().turn.view;
}

inline PlayerActions& ActionsOf(ScriptCall& call) {
  return call.context<ScriptTurn>().turn.actions;
}

// Every failure of these functions has one code, which their descriptions say.
inline absl::Status Refused(const absl::Status& status) {
  if (status.ok()) return status;
  return absl::InvalidArgumentError(status.message());
}

template <typename Value>
absl::Status ReturnIfAny(ScriptCall& call, const std::optional<Value>& value) {
  if (!value) return absl::OkStatus();
  if constexpr (std::is_same_v<Value, std::string>) {
    call.Return(std::string_view(*value));
  } else {
    call.Return(*value);
  }
  return absl::OkStatus();
}

inline absl::Status WrongType(std::string_view what, std::string_view wanted) {
  return absl::InvalidArgumentError(fmt::format("'{}' is no {}", what, wanted));
}

using Parameters = std::vector<ScriptParameter>;

class BotFunctions {
 public:
  void Add(std::string name, std::string help, Parameters parameters,
           ScriptResult result, ScriptNative native, std::string fails_when) {
    ScriptFunction function{.name = std::move(name),
                            .help = std::move(help),
                            .parameters = std::move(parameters),
                            .result = std::move(result),
                            .failures = {},
                            .native = native};
    if (!fails_when.empty()) {
      function.failures.push_back({.code = absl::StatusCode::kInvalidArgument,
                                   .when = std::move(fails_when)});
    }
    const absl::Status status = api_->Add(std::move(function));
    CHECK(status.ok(), "{}", status.ToString());
  }
  void Add(std::string name, std::string help, Parameters parameters,
           ScriptResult result, ScriptNative native) {
    Add(std::move(name), std::move(help), std::move(parameters),
        std::move(result), native, "");
  }
  // One that does something.
  void AddAction(std::string name, std::string help, Parameters parameters,
                 ScriptNative native) {
    Add(std::move(name), std::move(help), std::move(parameters), {}, native,
        "the pack has no such action, it is of another kind, or doesn't allow "
        "the value");
  }
  std::shared_ptr<const ScriptApi> Finish() { return std::move(api_); }

 private:
  std::shared_ptr<ScriptApi> api_ = std::make_shared<ScriptApi>();
};

// `view`: what the bot sees.
void AddViewFunctions(BotFunctions& api);
// `act`: what it does.
void AddActFunctions(BotFunctions& api);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BOTS_BOT_FUNCTIONS_H_
