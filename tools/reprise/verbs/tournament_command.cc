// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verbs/tournament_command.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "sim/pack_archive.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/terminal/flags.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/tournament/tournament.h"
#include "tools/reprise/tournament/win_rate.h"

namespace reprise::tools {
namespace {

struct Options {
  std::string bots;
  std::vector<std::string> scores;
  uint64_t seed = 1;
  uint64_t seeds = 10;
  uint64_t ticks = kTournamentTicksDefault;
  uint64_t jobs = 1;
  std::string record;
  OutputFormat format;
};

absl::StatusOr<TournamentOptions> ToTournamentOptions(const Options& options) {
  if (!options.scores.empty() && options.scores.size() != 2) {
    return absl::InvalidArgumentError(
        "--score is given twice: what points player 0 has, and player 1");
  }
  TournamentOptions tournament = {
      .first_seed = options.seed,
      .seed_count = options.seeds,
      .ticks_max = options.ticks,
      .jobs = static_cast<uint32_t>(
          std::min<uint64_t>(options.jobs, kTournamentJobsMax + 1))};
  if (!options.scores.empty()) {
    tournament.scores = {options.scores[0], options.scores[1]};
  }
  if (!options.bots.empty()) {
    tournament.bots = absl::StrSplit(options.bots, ',');
  }
  return tournament;
}

// A game that is told of, and where it is recorded.
struct Upset {
  const TournamentGame* game = nullptr;
  std::string replay;  // empty: it isn't
};

const std::string& NameOf(const TournamentOptions& options,
                          const TournamentGame& game, uint32_t player) {
  return options.bots[game.bots[player]];
}

absl::StatusOr<std::vector<Upset>> TakeUpsets(const Options& options,
                                              const TournamentOptions& played,
                                              const sim::PackArchive& pack,
                                              const TournamentResult& result) {
  std::vector<Upset> upsets;
  for (const size_t i : result.upsets) {
    const TournamentGame& game = result.games[i];
    Upset upset = {.game = &game};
    if (!options.record.empty()) {
      upset.replay =
          (std::filesystem::path(options.record) /
           fmt::format("{}_against_{}_seed_{}.mcap", NameOf(played, game, 0),
                       NameOf(played, game, 1), game.seed))
              .string();
      const absl::Status status = RecordGame(played, game, pack, upset.replay);
      if (!status.ok()) return status;
    }
    upsets.push_back(std::move(upset));
  }
  return upsets;
}

// The best first; of equally good ones the first that was named.
std::vector<uint32_t> Ranking(const TournamentResult& result) {
  std::vector<uint32_t> ranking(result.bots.size());
  std::iota(ranking.begin(), ranking.end(), 0);
  std::ranges::stable_sort(ranking, std::greater(), [&](uint32_t bot) {
    return WinRateOf(result.bots[bot]).rate;
  });
  return ranking;
}

std::string FormatCount(const GameCount& count) {
  const WinRate rate = WinRateOf(count);
  return fmt::format("{:>6} {:>6} {:>6} {:>6}   {:.3f}  {:.3f} to {:.3f}",
                     count.games(), count.won, count.lost, count.drawn,
                     rate.rate, rate.low, rate.high);
}

void PrintHuman(const TournamentOptions& options,
                const TournamentResult& result,
                const std::vector<Upset>& upsets, Console& console) {
  std::ostream& out = console.out();
  constexpr size_t kNameWidthMin = 9;
  size_t width = kNameWidthMin;
  for (const TournamentPair& pair : result.pairs) {
    width = std::max(width, options.bots[pair.bots[0]].size() +
                                options.bots[pair.bots[1]].size() + 9);
  }
  fmt::print(out, "{:<{}} {:>6} {:>6} {:>6} {:>6}   {:<5}  {}\n", "bot", width,
             "games", "won", "lost", "drawn", "rate", "with 95 % between");
  for (const uint32_t bot : Ranking(result)) {
    fmt::print(out, "{:<{}} {}\n", options.bots[bot], width,
               FormatCount(result.bots[bot]));
  }
  for (const TournamentPair& pair : result.pairs) {
    const std::string name =
        fmt::format("{} against {}", options.bots[pair.bots[0]],
                    options.bots[pair.bots[1]]);
    fmt::print(out, "{:<{}} {}\n", name, width, FormatCount(pair.count));
  }
  for (const Upset& upset : upsets) {
    const TournamentGame& game = *upset.game;
    const uint32_t winner = *game.winner;
    fmt::print(out, "upset: {} beats {} as player {}, seed {}: {} to {}\n",
               NameOf(options, game, winner), NameOf(options, game, 1 - winner),
               winner, game.seed, game.scores[winner], game.scores[1 - winner]);
    if (!upset.replay.empty()) {
      fmt::print(out, "recorded: {}\n", upset.replay);
    }
  }
}

Json ToJson(const GameCount& count) {
  const WinRate rate = WinRateOf(count);
  return {{"games", count.games()}, {"won", count.won},  {"lost", count.lost},
          {"drawn", count.drawn},   {"rate", rate.rate}, {"rate_low", rate.low},
          {"rate_high", rate.high}};
}

void PrintJson(const TournamentOptions& options, const TournamentResult& result,
               const std::vector<Upset>& upsets, Console& console) {
  Json bots = Json::array();
  for (const uint32_t bot : Ranking(result)) {
    Json entry = ToJson(result.bots[bot]);
    entry["bot"] = options.bots[bot];
    bots.push_back(std::move(entry));
  }
  Json pairs = Json::array();
  for (const TournamentPair& pair : result.pairs) {
    Json entry = ToJson(pair.count);
    entry["bot"] = options.bots[pair.bots[0]];
    entry["against"] = options.bots[pair.bots[1]];
    pairs.push_back(std::move(entry));
  }
  Json games = Json::array();
  for (const TournamentGame& game : result.games) {
    Json entry = {
        {"players", {NameOf(options, game, 0), NameOf(options, game, 1)}},
        {"seed", std::to_string(game.seed)},
        {"scores", {game.scores[0], game.scores[1]}},
        {"tick_count", game.tick_count}};
    if (game.winner.has_value()) {
      entry["winner"] = NameOf(options, game, *game.winner);
    }
    games.push_back(std::move(entry));
  }
  Json surprising = Json::array();
  for (const Upset& upset : upsets) {
    Json entry = {{"game", upset.game - result.games.data()}};
    if (!upset.replay.empty()) entry["replay"] = upset.replay;
    surprising.push_back(std::move(entry));
  }
  Json document = MakeJsonDocument("tournament");
  document["bots"] = std::move(bots);
  document["pairs"] = std::move(pairs);
  document["games"] = std::move(games);
  document["upsets"] = std::move(surprising);
  PrintJson(document, console);
}

absl::StatusOr<ExitCode> Hold(const Options& options,
                              const std::vector<std::string>& arguments,
                              Console& console) {
  const auto tournament = ToTournamentOptions(options);
  if (!tournament.ok()) return tournament.status();
  const absl::StatusOr<sim::PackArchive> pack = OpenPack(arguments[0]);
  if (!pack.ok()) return pack.status();
  const uint64_t count = tournament->bots.size();
  ProgressBar progress(console, "playing",
                       count * (count - 1) * tournament->seed_count);
  const absl::StatusOr<TournamentResult> result = PlayTournament(
      *tournament, *pack, [&](uint64_t played) { progress.Update(played); });
  if (!result.ok()) return result.status();
  const auto upsets = TakeUpsets(options, *tournament, *pack, *result);
  if (!upsets.ok()) return upsets.status();
  uint64_t failed_decisions = 0;
  for (const TournamentGame& game : result->games) {
    failed_decisions += game.failed_decisions;
  }
  if (failed_decisions > 0) {
    console.Warning(fmt::format(
        "{} decisions of bots came to nothing; `reprise run --bot` says why",
        failed_decisions));
  }
  if (options.format.is_json()) {
    PrintJson(*tournament, *result, *upsets, console);
  } else {
    PrintHuman(*tournament, *result, *upsets, console);
  }
  return ExitCode::kOk;
}

}  // namespace

Command MakeTournamentCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "tournament";
  command.summary =
      "Has the bots of a pack play each other, and counts who wins";
  command.description =
      "PACK is a pack for two players: its folder, or the name of one in "
      "$REPRISE_PACKS (sim/packs if unset). Every pair of bots plays on both "
      "sides with each seed; a game ends with its outcome, and whoever has "
      "more "
      "points then has won it. The rate counts a drawn game as half a win, and "
      "is told with its 95 % interval (Wilson). The same seeds give the same "
      "results, however many are played side by side. An upset is a game that "
      "somebody wins who loses to the other more often than not.";
  command.arguments = {"PACK", 1, 1};
  command.flags = {
      {"bots", "A,B,...",
       "Who plays: bots of the pack or the program, two or more.",
       &options->bots},
      {"score", "EXPRESSION",
       "What points a player has, as `reprise query` takes it: given twice, of "
       "player 0 and of player 1. If unset, what the pack maximizes as "
       "points_of_player_0 and points_of_player_1.",
       &options->scores},
      {"seeds", "N",
       "How many seeds each pair plays on both sides. 10 if unset.",
       &options->seeds},
      {"seed", "N", "The first of them. 1 if unset.", &options->seed},
      {"ticks", "N",
       "A game that isn't decided ends at this tick. 36000 if unset.",
       &options->ticks},
      {"jobs", "N", "Games that are played side by side, 1 to 256. 1 if unset.",
       &options->jobs},
      {"record", "FOLDER",
       "Record each upset in this folder, as A_against_B_seed_N.mcap.",
       &options->record},
      options->format.flag()};
  command.examples = {
      {"Is the rusher better than the zoner?",
       "reprise tournament fighter --bots rusher,zoner --seeds 20 --jobs 2"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return Hold(*options, arguments, console);
  };
  return command;
}

}  // namespace reprise::tools
