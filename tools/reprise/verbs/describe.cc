// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise describe`: what there is in a game, and what can be said to it.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "sim/base/nearest_name.h"
#include "sim/bots/script_bot.h"
#include "sim/pack_archive.h"
#include "sim/script/script_reference.h"
#include "sim/simulation.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/world/world_description.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/reports/described_game.h"
#include "tools/reprise/reports/described_page.h"
#include "tools/reprise/terminal/flags.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

struct Options {
  std::string simulation;
  std::string_view format = "human";
  bool bot_functions = false;
  bool script_functions = false;
  bool script_annotations = false;
  bool script_settings = false;
};

// Where editors look for what --script-annotations prints, from the pack's
// folder.
constexpr char kAnnotationsPath[] = "reprise.lua";

// One of the texts that are made of the descriptions of functions; empty when
// none is asked for.
std::string MadeText(const Options& options) {
  if (options.bot_functions) {
    return sim::ScriptReference(*sim::BotScriptApi());
  }
  if (options.script_functions) {
    return sim::ScriptReference(*sim::WorldScriptApi());
  }
  if (options.script_annotations) {
    return sim::ScriptAnnotations(*sim::WorldScriptApi());
  }
  if (options.script_settings) {
    return sim::ScriptEditorSettings(kAnnotationsPath);
  }
  return "";
}

// What has `word` for a name. INVALID_ARGUMENT: nothing has; `where` is where.
absl::StatusOr<DescribedGame> Select(const DescribedGame& game,
                                     const std::string& word,
                                     std::string_view where) {
  DescribedGame selected = SelectNamed(game, word);
  if (!selected.empty()) return selected;
  const std::vector<std::string> names = NamesIn(game);
  const std::vector<std::string_view> views(names.begin(), names.end());
  return absl::InvalidArgumentError(
      fmt::format("nothing in {} is called '{}'{}", where, word,
                  sim::DidYouMean(word, views)));
}

// `pack` is empty for what is built in.
void Print(const DescribedGame& game, const std::string& pack,
           const Options& options, Console& console) {
  if (options.format == "human") {
    console.out() << FormatDescribedGame(game);
    return;
  }
  if (options.format == "markdown") {
    console.out() << MakeDescribedPage(DescribedGameToJson(game), pack);
    return;
  }
  Json document = MakeJsonDocument("describe");
  document["pack"] = pack.empty() ? Json(nullptr) : Json(pack);
  document.update(DescribedGameToJson(game));
  PrintJson(document, console);
}

// What every pack can use.
DescribedGame BuiltIns() {
  return {.description = sim::DescribeBuiltIns(),
          .inputs = {.player_count = 0, .actions = {}},
          .names = {.object_name = [](sim::ObjectId) { return "none"; },
                    .id_name = [](sim::Id) { return "none"; },
                    .handle_name = [](sim::Handle) { return "none"; }}};
}

absl::StatusOr<ExitCode> DescribeBuiltIns(const Options& options,
                                          const std::string& word,
                                          Console& console) {
  absl::StatusOr<DescribedGame> game = BuiltIns();
  if (!word.empty()) game = Select(*game, word, "what is built in");
  if (!game.ok()) return game.status();
  Print(*game, /*pack=*/"", options, console);
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> DescribePack(const Options& options,
                                      const sim::PackArchive& pack,
                                      const std::string& word,
                                      Console& console) {
  const absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      CreatePackSimulation(pack, /*seed=*/0, options.simulation);
  if (!simulation.ok()) return simulation.status();
  const sim::SimulationInfo& info = (*simulation)->info();
  absl::StatusOr<DescribedGame> game =
      DescribedGame{.description = (*simulation)->description(),
                    .inputs = info.inputs,
                    .names = sim::NamesOf(**simulation)};
  if (!word.empty()) {
    game = Select(*game, word, fmt::format("the pack {}", info.pack));
  } else if (options.format == "human") {
    fmt::print(console.out(), "{}: {} player{}, {} ticks a second\n", info.pack,
               info.inputs.player_count,
               info.inputs.player_count == 1 ? "" : "s",
               info.tick_rate.ticks_per_second);
  }
  if (!game.ok()) return game.status();
  Print(*game, info.pack, options, console);
  return ExitCode::kOk;
}

// That there is no such pack, and what of the built-in names may be meant.
absl::Status WithHint(const absl::Status& no_pack, const std::string& word,
                      const DescribedGame& built_ins) {
  const std::vector<std::string> names = NamesIn(built_ins);
  const std::vector<std::string_view> views(names.begin(), names.end());
  return {no_pack.code(), fmt::format("{}, and nothing that is built in is "
                                      "called so{}",
                                      std::string(no_pack.message()),
                                      sim::DidYouMean(word, views))};
}

absl::StatusOr<ExitCode> Describe(const Options& options,
                                  const std::vector<std::string>& arguments,
                                  Console& console) {
  if (arguments.empty()) return DescribeBuiltIns(options, "", console);
  const absl::StatusOr<sim::PackArchive> pack = OpenPack(arguments[0]);
  if (pack.ok()) {
    return DescribePack(options, *pack,
                        arguments.size() > 1 ? arguments[1] : "", console);
  }
  // A word alone is one of what is built in, unless a pack is called so.
  if (arguments.size() != 1 || !absl::IsNotFound(pack.status())) {
    return pack.status();
  }
  const DescribedGame built_ins = BuiltIns();
  if (!SelectNamed(built_ins, arguments[0]).empty()) {
    return DescribeBuiltIns(options, arguments[0], console);
  }
  return WithHint(pack.status(), arguments[0], built_ins);
}

}  // namespace

Command MakeDescribeCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "describe";
  command.summary = "Says what there is in a game: types, properties, events";
  command.description =
      "Types, components with their properties, events with who sends and "
      "receives them, actions with their ranges, and what numbers in the state "
      "stand for. Without PACK, what is built in; with WORD, only what is "
      "called so.";
  command.arguments = {"[PACK] [WORD]", 0, 2};
  command.flags = {
      {"simulation", "NAME",
       "The simulation that is to run the pack. What its manifest names if "
       "unset.",
       &options->simulation},
      {"bot-functions", "",
       "Print the page of documents about what scripts of bots may call, and "
       "nothing else.",
       &options->bot_functions},
      {"script-functions", "",
       "The same about what behaviours in Lua may call.",
       &options->script_functions},
      {"script-annotations", "",
       "Print annotations of these functions, by which editors that have the "
       "Lua language server complete them: reprise.lua beside a pack.",
       &options->script_annotations},
      {"script-settings", "",
       "Print the language server's settings for a pack beside those: "
       ".luarc.json.",
       &options->script_settings},
      {"format", "human|json|markdown",
       "How to print. human if unset; markdown makes a page of documents.",
       ChoiceTarget{&options->format, {"human", "json", "markdown"}}},
  };
  command.examples = {
      {"What can players do, and objects be, in this game?",
       "reprise describe marble"},
      {"What does a contact tell?", "reprise describe contact_began"},
      {"Which values does this property take?",
       "reprise describe nursery tag.colour"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) -> absl::StatusOr<ExitCode> {
    const std::string made = MadeText(*options);
    if (!made.empty()) {
      fmt::print(console.out(), "{}", made);
      return ExitCode::kOk;
    }
    return Describe(*options, arguments, console);
  };
  return command;
}

}  // namespace reprise::tools
