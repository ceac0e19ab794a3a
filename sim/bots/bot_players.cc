// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/bots/bot_players.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/float_control.h"
#include "sim/base/id.h"
#include "sim/base/nearest_name.h"
#include "sim/bots/native_bots.h"
#include "sim/bots/script_bot.h"
#include "sim/script/script_source_rows.h"
#include "sim/state/row_schema.h"
#include "sim/state/table.h"

namespace reprise::sim {
namespace {

// Nobody reads more of a bot that fails at each tick.
constexpr size_t kLogEntriesMax = 1024;

bool MayPlay(const BotDescription& bot, uint32_t player) {
  return bot.players.empty() ||
         std::ranges::find(bot.players, player) != bot.players.end();
}

// What the pack says of a bot, or a native bot as it is.
absl::StatusOr<BotDescription> Describe(const GameDescription& game,
                                        const std::string& name) {
  const auto found = std::ranges::find(game.bots, name, &BotDescription::name);
  if (found != game.bots.end()) return *found;
  if (FindNativeBot(name) != nullptr) {
    BotDescription native;
    native.name = name;
    native.native = name;
    return native;
  }
  std::vector<std::string> known = NativeBotNames();
  for (const BotDescription& bot : game.bots) known.push_back(bot.name);
  // A total order: equal names are the same.
  std::ranges::sort(known);
  const std::vector<std::string_view> names(known.begin(), known.end());
  return absl::InvalidArgumentError(ThereIsNo("bot", name, names));
}

}  // namespace

std::vector<BotChoice> AllBots(const Simulation& simulation) {
  std::vector<BotChoice> choices;
  for (uint32_t player = 0; player < simulation.info().inputs.player_count;
       ++player) {
    for (const BotDescription& bot : simulation.description().bots) {
      if (bot.is_reserve || !MayPlay(bot, player)) continue;
      choices.push_back({.player = player, .name = bot.name});
      break;
    }
  }
  return choices;
}

std::string FormatBotLogEntry(const BotLogEntry& entry) {
  return fmt::format("tick {}, player {}, bot {}: {}", entry.tick, entry.player,
                     entry.bot, entry.text);
}

absl::StatusOr<std::unique_ptr<Bot>> MakeBot(const BotSeat& seat) {
  const BotDescription& description = *seat.description;
  if (description.native.empty()) return MakeScriptBot(description);
  const NativeBot* const native = FindNativeBot(description.native);
  if (native == nullptr) {
    const std::vector<std::string> known = NativeBotNames();
    const std::vector<std::string_view> names(known.begin(), known.end());
    return absl::NotFoundError(
        ThereIsNo("native bot", description.native, names));
  }
  for (const BotParameterValue& parameter : description.parameters) {
    const absl::Status status = CheckBotParameter(*native, parameter);
    if (!status.ok()) return status;
  }
  return native->make(seat);
}

absl::StatusOr<std::unique_ptr<BotPlayers>> BotPlayers::Create(
    const Simulation& simulation, std::span<const BotChoice> choices) {
  absl::StatusOr<ViewRules> rules = ViewRules::Create(simulation);
  if (!rules.ok()) return rules.status();
  // The constructor is private.
  std::unique_ptr<BotPlayers> players(
      new BotPlayers(simulation.info().inputs, *std::move(rules)));
  players->choices_.assign(choices.begin(), choices.end());
  std::ranges::stable_sort(players->choices_, {}, &BotChoice::player);
  for (size_t i = 0; i < players->choices_.size(); ++i) {
    const BotChoice& choice = players->choices_[i];
    if (i > 0 && players->choices_[i - 1].player == choice.player) {
      return absl::InvalidArgumentError(fmt::format(
          "two bots are to play player {}: {} and {}", choice.player,
          players->choices_[i - 1].name, choice.name));
    }
    const absl::Status status = players->Add(simulation, choice);
    if (!status.ok()) return status;
  }
  players->FindSources(simulation);
  return players;
}

void BotPlayers::FindSources(const Simulation& simulation) {
  const State& state = simulation.state();
  const auto table = state.Find(kSourceRoom, ScriptSourceRow::kTable);
  if (!table.has_value() ||
      state.table(*table).schema().fingerprint() !=
          RowSchema::Of<ScriptSourceRow>()->fingerprint()) {
    return;
  }
  sources_table_ = table;
  // Of no rows: those of the pack.
  sources_digest_ = Table(RowSchema::Of<ScriptSourceRow>()).ComputeDigest();
}

void BotPlayers::FollowSources(const Simulation& simulation) {
  if (!sources_table_.has_value()) return;
  const Table& table = simulation.state().table(*sources_table_);
  const Digest digest = table.ComputeDigest();
  if (digest == sources_digest_) return;
  sources_digest_ = digest;
  const auto sources = ReadSources(table);
  if (!sources.ok()) return;  // of no simulation of the pack
  for (const std::unique_ptr<Seat>& seat : seats_) {
    TakeScripts(simulation, *sources, *seat);
  }
}

void BotPlayers::TakeScripts(const Simulation& simulation,
                             const std::map<Id, std::string>& sources,
                             Seat& seat) {
  const auto& bots = simulation.description().bots;
  const auto of_pack =
      std::ranges::find(bots, seat.description.name, &BotDescription::name);
  if (of_pack == bots.end()) return;  // a native one
  std::vector<BotScript> scripts = WithSources(of_pack->scripts, sources);
  if (scripts == seat.description.scripts) return;
  std::swap(scripts, seat.description.scripts);
  const absl::Status status = seat.bot->TakeScripts();
  if (status.ok()) return;
  std::swap(scripts, seat.description.scripts);
  Tell(simulation, seat, /*is_error=*/true, std::string(status.message()));
}

void BotPlayers::Tell(const Simulation& simulation, const Seat& seat,
                      bool is_error, std::string text) {
  if (log_.size() >= kLogEntriesMax) return;
  log_.push_back({.tick = simulation.tick(),
                  .player = seat.view.player(),
                  .bot = seat.description.name,
                  .is_error = is_error,
                  .text = std::move(text)});
}

absl::Status BotPlayers::Add(const Simulation& simulation,
                             const BotChoice& choice) {
  if (choice.player >= inputs_.player_count) {
    return absl::InvalidArgumentError(
        fmt::format("there is no player {}; the pack has {}", choice.player,
                    inputs_.player_count));
  }
  absl::StatusOr<BotDescription> description =
      Describe(simulation.description(), choice.name);
  if (!description.ok()) return description.status();
  if (!MayPlay(*description, choice.player)) {
    return absl::InvalidArgumentError(fmt::format(
        "the bot {} doesn't play player {}", choice.name, choice.player));
  }
  auto seat = std::unique_ptr<Seat>(new Seat{
      .description = *std::move(description),
      .bot = nullptr,
      .view = PlayerView(&rules_, choice.player),
      .actions = PlayerActions(&inputs_, choice.player),
      .random =
          MakeRandomStream(simulation.info().seed, IdOf("bot " + choice.name),
                           ObjectId{uint64_t{choice.player} + 1}),
      .held = {},
      .unheard = {},
      .notes = {}});
  const ScopedFloatControl float_control;
  absl::StatusOr<std::unique_ptr<Bot>> bot =
      MakeBot({.player = choice.player,
               .description = &seat->description,
               .inputs = &inputs_});
  if (!bot.ok()) {
    return absl::Status(bot.status().code(),
                        fmt::format("the bot {}: {}", choice.name,
                                    std::string(bot.status().message())));
  }
  seat->bot = *std::move(bot);
  seats_.push_back(std::move(seat));
  return absl::OkStatus();
}

bool BotPlayers::Plays(uint32_t player) const {
  return std::ranges::find(choices_, player, &BotChoice::player) !=
         choices_.end();
}

void BotPlayers::Hear(std::span<const Event> events) {
  if (events.empty()) return;
  for (const std::unique_ptr<Seat>& seat : seats_) {
    std::vector<Event>& unheard = seat->unheard;
    for (const Event& event : events) {
      if (rules_.Hears(seat->view.player(), event)) unheard.push_back(event);
    }
    if (unheard.size() > kBotEventsMax) {
      unheard.erase(unheard.begin(),
                    unheard.end() - static_cast<int64_t>(kBotEventsMax));
    }
  }
}

std::vector<InputFrame> BotPlayers::Decide(const Simulation& simulation) {
  const ScopedFloatControl float_control;
  FollowSources(simulation);
  std::vector<InputFrame> frames;
  for (const std::unique_ptr<Seat>& seat : seats_) {
    if (simulation.tick() % seat->description.every_ticks != 0) continue;
    DecideOne(simulation, *seat, frames);
  }
  return frames;
}

void BotPlayers::DecideOne(const Simulation& simulation, Seat& seat,
                           std::vector<InputFrame>& frames) {
  ++decision_count_;
  seat.view.Look(simulation, seat.unheard);
  seat.unheard.clear();
  seat.notes.clear();
  seat.actions.Begin(seat.held);
  BotTurn turn = {.view = seat.view,
                  .actions = seat.actions,
                  .random = seat.random,
                  .notes = seat.notes};
  absl::Status status = seat.bot->Decide(turn);
  std::optional<InputFrame> frame;
  if (status.ok()) {
    absl::StatusOr<InputFrame> finished = seat.actions.Finish();
    status = finished.status();
    if (finished.ok()) frame = *std::move(finished);
  }
  for (std::string& note : seat.notes) {
    Tell(simulation, seat, /*is_error=*/false, std::move(note));
  }
  if (!status.ok()) {
    ++error_count_;
    Tell(simulation, seat, /*is_error=*/true, std::string(status.message()));
    return;
  }
  if (seat.has_given && frame->Repeats(seat.held)) return;
  seat.has_given = true;
  seat.held = frame->device;
  frames.push_back(*std::move(frame));
}

void BotPlayers::CountScripts() {
  for (const std::unique_ptr<Seat>& seat : seats_) seat->bot->CountScripts();
}

std::vector<const ScriptMachine*> BotPlayers::counting_machines() const {
  std::vector<const ScriptMachine*> machines;
  for (const std::unique_ptr<Seat>& seat : seats_) {
    const auto counting = seat->bot->counting_machines();
    machines.insert(machines.end(), counting.begin(), counting.end());
  }
  return machines;
}

std::vector<BotLogEntry> BotPlayers::DrainLog() {
  return std::exchange(log_, {});
}

}  // namespace reprise::sim
