// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The bots of a program, by name: what packs call `native`.

#ifndef REPRISE_SIM_BOTS_NATIVE_BOTS_H_
#define REPRISE_SIM_BOTS_NATIVE_BOTS_H_

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "sim/bots/bot.h"

namespace reprise::sim {

// What a pack can choose: a number, or a text where the default is one.
struct NativeBotParameter {
  std::string name;
  std::string help;
  std::variant<double, std::string> default_value = 0.0;
  double minimum = std::numeric_limits<double>::lowest();  // of a number
  double maximum = std::numeric_limits<double>::max();
};

struct NativeBot {
  std::string help;
  std::vector<NativeBotParameter> parameters;
  std::function<std::unique_ptr<Bot>(const BotSeat&)> make;
};

// Makes `bot` known as `name` to the whole binary. REQUIRES: called before
// main, through REPRISE_REGISTER_BOT; no other has the name.
bool RegisterBot(std::string_view name, NativeBot bot);

// At namespace scope of a library linked with alwayslink.
#define REPRISE_REGISTER_BOT(token, name, bot)                        \
  [[maybe_unused]] static const bool reprise_registered_bot_##token = \
      ::reprise::sim::RegisterBot(name, bot)

// nullptr where there is none.
const NativeBot* FindNativeBot(std::string_view name);

// All names, in order.
std::vector<std::string> NativeBotNames();

// Whether `value` may be given to `bot`. INVALID_ARGUMENT says what is wrong.
absl::Status CheckBotParameter(const NativeBot& bot,
                               const BotParameterValue& value);

// The value that a pack gave, or the default. REQUIRES: the native bot of the
// description has such a parameter, a number or a text.
double NumberOf(const BotDescription& description, std::string_view parameter);
std::string TextOf(const BotDescription& description,
                   std::string_view parameter);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BOTS_NATIVE_BOTS_H_
