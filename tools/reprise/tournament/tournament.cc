// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/tournament/tournament.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>

#include "fmt/format.h"
#include "replays/fuzzing/corpus/fuzz_corpus.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/query/query.h"
#include "replays/query/query_evaluation.h"
#include "sim/bots/bot_players.h"
#include "sim/event.h"
#include "sim/expression/state_subjects.h"
#include "sim/expression/value.h"
#include "sim/fuzzing_description.h"
#include "sim/game_description.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "tools/reprise/inputs/pack_location.h"

namespace reprise::tools {
namespace {

// What a player's points are.
class Score {
 public:
  static absl::StatusOr<Score> Parse(const std::string& text,
                                     const sim::Simulation& simulation) {
    absl::StatusOr<replays::Query> query =
        replays::Query::Parse(text, simulation);
    if (!query.ok()) {
      return absl::InvalidArgumentError(fmt::format(
          "--score '{}': {}", text, std::string(query.status().message())));
    }
    if (query->type() != sim::ExpressionType::kNumber) {
      return absl::InvalidArgumentError(
          fmt::format("--score '{}': it is no number", text));
    }
    return Score(*std::move(query));
  }

  // INVALID_ARGUMENT: it is of no object, of several, or can't be computed.
  absl::StatusOr<double> Of(const sim::Simulation& simulation) const {
    replays::QueryEvaluation evaluation(&query_);
    uint64_t count = 0;
    absl::StatusOr<double> score = 0.0;
    evaluation.Visit(
        simulation, {},
        [&](const sim::StateSubject&, const sim::ExpressionAnswer& answer) {
          ++count;
          score = NumberOf(answer);
        });
    if (count == 1 && score.ok()) return score;
    const std::string reason =
        count == 1 ? std::string(score.status().message())
                   : fmt::format("it is of {} objects, not of one", count);
    return absl::InvalidArgumentError(fmt::format(
        "--score '{}': tick {}: {}", query_.text(), simulation.tick(), reason));
  }

 private:
  explicit Score(replays::Query query) : query_(std::move(query)) {}

  static absl::StatusOr<double> NumberOf(const sim::ExpressionAnswer& answer) {
    if (!answer.ok()) return answer.status();
    if (const auto* const number = std::get_if<double>(&*answer)) {
      return *number;
    }
    if (const auto* const whole =
            std::get_if<sim::ExpressionInteger>(&*answer)) {
      return static_cast<double>(*whole);
    }
    return absl::InvalidArgumentError("it is no number");
  }

  replays::Query query_;
};

// What the options say, or else the pack. INVALID_ARGUMENT: neither does.
absl::StatusOr<Score> ScoreOf(uint32_t player, const TournamentOptions& options,
                              const sim::Simulation& simulation) {
  const std::string& given = options.scores[player];
  if (!given.empty()) return Score::Parse(given, simulation);
  const std::string name = fmt::format("points_of_player_{}", player);
  for (const sim::FuzzingExpression& each :
       simulation.description().fuzzing.maximize) {
    if (each.name == name) return Score::Parse(each.text, simulation);
  }
  return absl::InvalidArgumentError(
      fmt::format("--score is given twice, of player 0 and of player 1, or the "
                  "pack says in fuzzing what it maximizes as '{}'",
                  name));
}

absl::Status InGame(const absl::Status& status,
                    const TournamentOptions& options,
                    const TournamentGame& game) {
  return absl::Status(
      status.code(),
      fmt::format("{} against {}, seed {}: {}", options.bots[game.bots[0]],
                  options.bots[game.bots[1]], game.seed,
                  std::string(status.message())));
}

// Plays one game to its end, and notes what the bots did where somebody wants
// to know.
absl::Status Play(const TournamentOptions& options,
                  const sim::PackArchive& pack, TournamentGame& game,
                  replays::PlayedInputs* inputs) {
  auto simulation = CreatePackSimulation(pack, game.seed, "");
  if (!simulation.ok()) return simulation.status();
  sim::Simulation& world = **simulation;
  std::vector<sim::BotChoice> seats;
  for (uint32_t player = 0; player < 2; ++player) {
    seats.push_back(
        {.player = player, .name = options.bots[game.bots[player]]});
  }
  const auto bots = sim::BotPlayers::Create(world, seats);
  if (!bots.ok()) return bots.status();
  while (world.tick() < options.ticks_max &&
         world.outcome().status == sim::Outcome::Status::kRunning) {
    std::vector<sim::InputFrame> frames = (*bots)->Decide(world);
    (*bots)->DrainLog();
    absl::Status status = world.Validate(frames);
    if (!status.ok()) return status;
    world.Step(frames, /*observer=*/nullptr);
    status = world.status();
    if (!status.ok()) return status;
    (*bots)->Hear(world.DrainEvents());
    if (frames.empty() || inputs == nullptr) continue;
    inputs->ticks.push_back(
        {.tick = world.tick() - 1, .frames = std::move(frames)});
  }
  if (inputs != nullptr) inputs->tick_count = world.tick();
  game.tick_count = world.tick();
  game.failed_decisions = (*bots)->error_count();
  for (uint32_t player = 0; player < 2; ++player) {
    const absl::StatusOr<Score> score = ScoreOf(player, options, world);
    if (!score.ok()) return score.status();
    const absl::StatusOr<double> points = score->Of(world);
    if (!points.ok()) return points.status();
    game.scores[player] = *points;
  }
  if (game.scores[0] != game.scores[1]) {
    game.winner = game.scores[0] > game.scores[1] ? 0 : 1;
  }
  return absl::OkStatus();
}

absl::Status Check(const TournamentOptions& options,
                   const sim::PackArchive& pack) {
  const size_t count = options.bots.size();
  if (count < 2) {
    return absl::InvalidArgumentError("--bots: a tournament needs two or more");
  }
  if (options.jobs < 1 || options.jobs > kTournamentJobsMax) {
    return absl::InvalidArgumentError(
        fmt::format("--jobs is 1 to {}", kTournamentJobsMax));
  }
  const uint64_t games_a_seed = uint64_t{count} * (count - 1);
  if (options.seed_count < 1 ||
      options.seed_count > kTournamentGamesMax / games_a_seed) {
    return absl::InvalidArgumentError(fmt::format(
        "--seeds is 1 to {}: there are {} games of each, and at most {} in all",
        kTournamentGamesMax / games_a_seed, games_a_seed, kTournamentGamesMax));
  }
  if (options.ticks_max < 1) {
    return absl::InvalidArgumentError("--ticks is 1 or more");
  }
  std::set<std::string> names;
  for (const std::string& bot : options.bots) {
    if (names.insert(bot).second) continue;
    return absl::InvalidArgumentError(
        fmt::format("--bots: {} comes twice", bot));
  }
  // What is wrong in every game is told of none.
  const auto simulation = CreatePackSimulation(pack, options.first_seed, "");
  if (!simulation.ok()) return simulation.status();
  const uint32_t players = (*simulation)->info().inputs.player_count;
  if (players != 2) {
    return absl::InvalidArgumentError(fmt::format(
        "a tournament is for packs of two players; this one has {}", players));
  }
  for (uint32_t player = 0; player < 2; ++player) {
    const auto score = ScoreOf(player, options, **simulation);
    if (!score.ok()) return score.status();
  }
  for (const std::string& bot : options.bots) {
    for (uint32_t player = 0; player < 2; ++player) {
      const auto seated = sim::BotPlayers::Create(
          **simulation,
          std::vector<sim::BotChoice>{{.player = player, .name = bot}});
      if (!seated.ok()) return seated.status();
    }
  }
  return absl::OkStatus();
}

std::vector<TournamentGame> Schedule(const TournamentOptions& options) {
  std::vector<TournamentGame> games;
  const auto count = static_cast<uint32_t>(options.bots.size());
  for (uint32_t one = 0; one < count; ++one) {
    for (uint32_t other = one + 1; other < count; ++other) {
      for (uint64_t i = 0; i < options.seed_count; ++i) {
        const uint64_t seed = options.first_seed + i;
        games.push_back({.bots = {one, other}, .seed = seed});
        games.push_back({.bots = {other, one}, .seed = seed});
      }
    }
  }
  return games;
}

// Each game is one thread's; what comes of it stands at its own place.
absl::Status PlayAll(const TournamentOptions& options,
                     const sim::PackArchive& pack,
                     std::vector<TournamentGame>& games,
                     const std::function<void(uint64_t)>& played) {
  std::vector<absl::Status> statuses(games.size());
  std::atomic<size_t> next = 0;
  std::atomic<uint64_t> ended = 0;
  std::atomic<bool> has_failed = false;
  const auto work = [&](bool tells) {
    while (!has_failed) {
      const size_t i = next++;
      if (i >= games.size()) return;
      statuses[i] = Play(options, pack, games[i], nullptr);
      if (!statuses[i].ok()) has_failed = true;
      ++ended;
      if (tells) played(ended);
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t job = 1; job < options.jobs; ++job) {
    threads.emplace_back(work, false);
  }
  work(true);
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < games.size(); ++i) {
    if (!statuses[i].ok()) return InGame(statuses[i], options, games[i]);
  }
  return absl::OkStatus();
}

void Add(std::optional<bool> is_won, GameCount& count) {
  if (!is_won.has_value()) {
    ++count.drawn;
  } else {
    ++(*is_won ? count.won : count.lost);
  }
}

// Counts the games, which stand by pairs.
void Count(const TournamentOptions& options, TournamentResult& result) {
  result.bots.resize(options.bots.size());
  for (const TournamentGame& game : result.games) {
    const std::array<uint32_t, 2> pair = {std::min(game.bots[0], game.bots[1]),
                                          std::max(game.bots[0], game.bots[1])};
    if (result.pairs.empty() || result.pairs.back().bots != pair) {
      result.pairs.push_back({.bots = pair});
    }
    for (uint32_t player = 0; player < 2; ++player) {
      std::optional<bool> is_won;
      if (game.winner.has_value()) is_won = *game.winner == player;
      Add(is_won, result.bots[game.bots[player]]);
      if (game.bots[player] == pair[0]) Add(is_won, result.pairs.back().count);
    }
  }
}

void FindUpsets(TournamentResult& result) {
  const size_t games_a_pair = result.games.size() / result.pairs.size();
  for (size_t i = 0; i < result.games.size(); ++i) {
    const TournamentGame& game = result.games[i];
    const TournamentPair& pair = result.pairs[i / games_a_pair];
    if (!game.winner.has_value() || pair.count.won == pair.count.lost) continue;
    const uint32_t better = pair.bots[pair.count.won > pair.count.lost ? 0 : 1];
    if (game.bots[*game.winner] != better) result.upsets.push_back(i);
  }
}

}  // namespace

absl::StatusOr<TournamentResult> PlayTournament(
    const TournamentOptions& options, const sim::PackArchive& pack,
    const std::function<void(uint64_t)>& played) {
  absl::Status status = Check(options, pack);
  if (!status.ok()) return status;
  TournamentResult result;
  result.games = Schedule(options);
  status = PlayAll(options, pack, result.games, played);
  if (!status.ok()) return status;
  Count(options, result);
  FindUpsets(result);
  return result;
}

absl::Status RecordGame(const TournamentOptions& options,
                        const TournamentGame& game,
                        const sim::PackArchive& pack, const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(),
                                      error);
  if (error) return absl::ErrnoToStatus(error.value(), path);
  TournamentGame again = {.bots = game.bots, .seed = game.seed};
  replays::PlayedInputs inputs;
  const absl::Status status = Play(options, pack, again, &inputs);
  if (!status.ok()) return InGame(status, options, game);
  const auto start = CreatePackSimulation(pack, game.seed, "");
  if (!start.ok()) return start.status();
  return replays::WriteReplayOf(path, inputs, pack, **start);
}

}  // namespace reprise::tools
