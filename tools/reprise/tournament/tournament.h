// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Has the bots of a pack for two players play each other: every pair, on both
// sides, with each seed. The same pack, bots and seeds give the same games,
// however many are played side by side.

#ifndef REPRISE_TOOLS_REPRISE_TOURNAMENT_TOURNAMENT_H_
#define REPRISE_TOOLS_REPRISE_TOURNAMENT_TOURNAMENT_H_

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "tools/reprise/tournament/win_rate.h"

namespace reprise::tools {

inline constexpr uint32_t kTournamentJobsMax = 256;
inline constexpr uint64_t kTournamentGamesMax = 1'000'000;
// A game that nobody decides ends here: ten minutes at 60 Hz.
inline constexpr sim::Tick kTournamentTicksDefault = 36'000;

struct TournamentOptions {
  std::vector<std::string> bots;  // two or more, each once
  // For each player what its points are: a query that is a number. Whoever has
  // more at the end of a game has won it. Empty: what the pack's `fuzzing`
  // maximizes as points_of_player_0 and points_of_player_1.
  std::array<std::string, 2> scores;
  uint64_t first_seed = 1;
  uint64_t seed_count = 10;
  sim::Tick ticks_max = kTournamentTicksDefault;
  uint32_t jobs = 1;  // 1 to kTournamentJobsMax
};

struct TournamentGame {
  // Who plays player 0, and who player 1: indexes into the bots.
  std::array<uint32_t, 2> bots = {};
  uint64_t seed = 0;
  // What came of it.
  std::array<double, 2> scores = {};  // of the players
  std::optional<uint32_t> winner;     // a player; none: it is drawn
  sim::Tick tick_count = 0;
  uint64_t failed_decisions = 0;
};

// Two bots, as the first of them sees it.
struct TournamentPair {
  std::array<uint32_t, 2> bots = {};  // ascending
  GameCount count;
};

struct TournamentResult {
  std::vector<TournamentGame> games;  // by pairs, then seeds, then sides
  std::vector<TournamentPair> pairs;  // ascending
  std::vector<GameCount> bots;        // of each bot, against all others
  // The games that somebody has won who loses to the other one more often than
  // not: indexes into `games`, ascending.
  std::vector<size_t> upsets;
};

// Plays all games. INVALID_ARGUMENT: there aren't two players, or two bots; a
// bot isn't there, comes twice or may not play on both sides; a score isn't
// there, is no query, no number, or that of several objects; the numbers are
// out of range. Other errors are those of the simulation. `played` is called
// now and then with the number of games that have ended, by the caller's
// thread.
absl::StatusOr<TournamentResult> PlayTournament(
    const TournamentOptions& options, const sim::PackArchive& pack,
    const std::function<void(uint64_t)>& played);

// Plays one of its games again, and records it as a replay at `path`.
absl::Status RecordGame(const TournamentOptions& options,
                        const TournamentGame& game,
                        const sim::PackArchive& pack, const std::string& path);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_TOURNAMENT_TOURNAMENT_H_
