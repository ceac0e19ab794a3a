// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/minimization.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "replays/fuzzing/run_check.h"
#include "sim/input/input_grammar.h"

namespace reprise::replays {
namespace {

using Changes = std::vector<ActionChange>;
using Kind = sim::Action::Kind;

constexpr int32_t kFull = sim::kAxisMax;

// How far a number is from being plain: at rest, then all the way, then small
// ones.
uint64_t CostOf(int32_t number) {
  if (number == 0) return 0;
  if (number == kFull || number == -kFull) return 1;
  return 2 + static_cast<uint64_t>(std::abs(int64_t{number}));
}

// Plainer values of one input of a command; the plainest first.
std::vector<sim::SingleValue> PlainerValues(const sim::SingleValue& value) {
  using ValueKind = sim::SingleValue::Kind;
  std::vector<sim::SingleValue> plainer;
  switch (value.kind) {
    case ValueKind::kInteger:
      for (int64_t closer = 0; closer != value.integer;) {
        plainer.emplace_back(closer);
        if (plainer.size() > 62) break;
        closer = value.integer - (value.integer - closer) / 2;
        if (closer == plainer.back().integer) break;
      }
      break;
    case ValueKind::kNumber: {
      const double number = value.numbers.x;
      const auto whole = static_cast<double>(
          static_cast<int64_t>(std::clamp(number, -9e15, 9e15)));
      for (const double closer : {0.0, 1.0, whole}) {
        if (closer == number) break;  // what comes then is no plainer
        plainer.emplace_back(closer);
      }
      break;
    }
    case ValueKind::kText:
      if (!value.text.empty()) {
        plainer.emplace_back("");
        std::string half = value.text.substr(0, value.text.size() / 2);
        plainer.emplace_back(std::move(half));
      }
      break;
    default:
      break;
  }
  return plainer;
}

class Minimizer {
 public:
  Minimizer(const sim::InputGrammar& grammar, RunOracle& oracle,
            const MinimizeOptions& options, std::string signature)
      : grammar_(grammar),
        options_(options),
        signature_(std::move(signature)),
        oracle_(oracle) {}

  MinimizedRun Run(const PlayedInputs& run) {
    HeldDevices held(grammar_.player_count);
    Changes changes = ToChanges(grammar_, run.ticks, held);
    best_.failure.tick = run.tick_count;
    best_.inputs = run;
    best_.changes = changes;
    if (!Try(std::move(changes), /*is_first=*/true)) return std::move(best_);
    bool has_helped = true;
    while (has_helped && !is_over()) {
      has_helped = false;
      has_helped |= DropKinds(/*by_player=*/true);
      has_helped |= DropKinds(/*by_player=*/false);
      has_helped |= DropChunks();
      has_helped |= CloseGaps();
      has_helped |= MakePlainer();
    }
    best_.is_done = !is_over();
    return std::move(best_);
  }

 private:
  bool is_over() const {
    return is_stopped_ ||
           (options_.ticks_max > 0 && oracle_.ticks() >= options_.ticks_max);
  }

  // Takes `changes` over if they fail in the same way, no later.
  bool Try(Changes changes, bool is_first = false) {
    if (is_over()) return false;
    std::erase_if(changes, [this](const ActionChange& change) {
      return change.tick >= best_.failure.tick;
    });
    HeldDevices held(grammar_.player_count);
    std::vector<TickInputs> inputs = ToTickInputs(grammar_, changes, held);
    ++best_.runs_tried;
    const std::optional<RunFailure> failure =
        oracle_.Run(inputs, best_.failure.tick);
    best_.ticks_run = oracle_.ticks();
    if (!failure || failure->signature != signature_) return false;
    oracle_.Adopt();
    best_.failure = *failure;
    std::erase_if(inputs, [&failure](const TickInputs& one) {
      return one.tick >= failure->tick;
    });
    // What the frames say, without what changes nothing, in their order.
    HeldDevices held_again(grammar_.player_count);
    best_.changes = ToChanges(grammar_, inputs, held_again);
    best_.inputs = {.ticks = std::move(inputs), .tick_count = failure->tick};
    if (!is_first && options_.on_progress != nullptr &&
        !options_.on_progress(best_)) {
      is_stopped_ = true;
    }
    return true;
  }

  // Without all changes of a player, or of an action.
  bool DropKinds(bool by_player) {
    bool has_helped = false;
    const auto kind_of = [by_player](const ActionChange& change) {
      return by_player ? change.player : change.action;
    };
    const auto count = static_cast<uint32_t>(
        by_player ? grammar_.player_count : grammar_.actions.size());
    for (uint32_t kind = 0; kind < count; ++kind) {
      Changes changes = best_.changes;
      const auto dropped = std::erase_if(changes, [&](const ActionChange& one) {
        return kind_of(one) == kind;
      });
      if (dropped > 0) has_helped |= Try(std::move(changes));
    }
    return has_helped;
  }

  // Without some that follow one another: halves first, then ever fewer.
  bool DropChunks() {
    bool has_helped = false;
    for (size_t size = std::max<size_t>(best_.changes.size() / 2, 1);;
         size /= 2) {
      // From the end: what comes late is seldom needed for what comes before,
      // and what comes before isn't played again.
      for (size_t end = best_.changes.size(); end > 0 && !is_over();) {
        const size_t begin = end - std::min(end, size);
        Changes changes = best_.changes;
        changes.erase(changes.begin() + static_cast<std::ptrdiff_t>(begin),
                      changes.begin() + static_cast<std::ptrdiff_t>(end));
        has_helped |= Try(std::move(changes));
        end = std::min(begin, best_.changes.size());
      }
      if (size <= 1) return has_helped;
    }
  }

  // With less time before each change.
  bool CloseGaps() {
    bool has_helped = false;
    for (size_t i = 0; i < best_.changes.size() && !is_over(); ++i) {
      const sim::Tick before = i == 0 ? 0 : best_.changes[i - 1].tick;
      sim::Tick left = best_.changes[i].tick - before;
      for (sim::Tick cut = left; cut > 0 && !is_over();) {
        Changes changes = best_.changes;
        for (size_t k = i; k < changes.size(); ++k) changes[k].tick -= cut;
        if (!Try(std::move(changes))) {
          cut /= 2;
          continue;
        }
        has_helped = true;
        // It may fail before this change by now.
        if (i >= best_.changes.size()) break;
        left -= cut;
        cut = std::min(cut, left);
      }
    }
    return has_helped;
  }

  bool MakePlainer() {
    bool has_helped = false;
    for (size_t i = 0; i < best_.changes.size() && !is_over(); ++i) {
      const sim::Action& action = grammar_.actions[best_.changes[i].action];
      if (action.is_button()) continue;
      // A plainer value may make others needless, and this place another's.
      const size_t count = best_.changes.size();
      has_helped |= MakeNumbersPlainer(i);
      if (best_.changes.size() == count) has_helped |= MakeTextPlainer(i);
      if (best_.changes.size() == count) has_helped |= MakeArgumentsPlainer(i);
    }
    return has_helped;
  }

  bool TryValue(size_t index, ActionValue value) {
    Changes changes = best_.changes;
    changes[index].value = std::move(value);
    return Try(std::move(changes));
  }

  bool MakeNumbersPlainer(size_t index) {
    bool has_helped = false;
    const size_t count = best_.changes.size();
    const Kind kind = grammar_.actions[best_.changes[index].action].kind;
    const bool is_axis = kind == Kind::kAxis;
    for (size_t n = 0; n < 6; ++n) {
      const int32_t number = best_.changes[index].value.numbers[n];
      std::vector<int32_t> plainer = {0};
      if (is_axis) plainer.push_back(number < 0 ? -kFull : kFull);
      // Round ones, the roundest first.
      for (int32_t round = 16384; round > 1; round /= 2) {
        plainer.push_back(number / round * round);
      }
      for (const int32_t one : plainer) {
        if (CostOf(one) >= CostOf(number)) continue;
        ActionValue value = best_.changes[index].value;
        value.numbers[n] = one;
        if (!TryValue(index, std::move(value))) continue;
        has_helped = true;
        if (best_.changes.size() != count) return true;
        break;
      }
    }
    return has_helped;
  }

  bool MakeTextPlainer(size_t index) {
    bool has_helped = false;
    const size_t count = best_.changes.size();
    while (best_.changes.size() == count &&
           !best_.changes[index].value.text.empty()) {
      ActionValue value = best_.changes[index].value;
      value.text.resize(value.text.size() / 2);
      if (!TryValue(index, std::move(value))) break;
      has_helped = true;
    }
    return has_helped;
  }

  bool MakeArgumentsPlainer(size_t index) {
    bool has_helped = false;
    const size_t count = best_.changes.size();
    const size_t arguments = best_.changes[index].value.arguments.size();
    for (size_t a = 0; a < arguments && best_.changes.size() == count; ++a) {
      const sim::InputValue argument = best_.changes[index].value.arguments[a];
      if (argument.is_list) {
        if (argument.values.empty()) continue;
        sim::InputValue shorter = argument;
        shorter.values.resize(argument.values.size() / 2);
        ActionValue value = best_.changes[index].value;
        value.arguments[a] = std::move(shorter);
        has_helped |= TryValue(index, std::move(value));
        continue;
      }
      for (sim::SingleValue& plainer : PlainerValues(argument.values[0])) {
        ActionValue value = best_.changes[index].value;
        value.arguments[a].values[0] = std::move(plainer);
        if (!TryValue(index, std::move(value))) continue;
        has_helped = true;
        break;
      }
    }
    return has_helped;
  }

  const sim::InputGrammar& grammar_;
  const MinimizeOptions& options_;
  const std::string signature_;
  RunOracle& oracle_;
  MinimizedRun best_;
  bool is_stopped_ = false;
};

}  // namespace

absl::StatusOr<RunFailure> FindFailure(const sim::Simulation& start,
                                       const FuzzRules& rules,
                                       const PlayedInputs& run,
                                       bool* checks_restore) {
  for (const bool with_restore : {false, true}) {
    RunCheck check(&rules, start, with_restore);
    const std::optional<RunFailure> failure =
        check.Run(run.ticks, run.tick_count);
    if (!failure) continue;
    if (checks_restore != nullptr) *checks_restore = with_restore;
    return *failure;
  }
  return absl::NotFoundError("the run doesn't fail");
}

absl::StatusOr<MinimizedRun> MinimizeRun(const sim::Simulation& start,
                                         const FuzzRules& rules,
                                         const PlayedInputs& run,
                                         const MinimizeOptions& options) {
  bool checks_restore = false;
  absl::StatusOr<RunFailure> failure =
      FindFailure(start, rules, run, &checks_restore);
  if (!failure.ok()) return failure.status();
  PlayedInputs up_to_failure = run;
  up_to_failure.tick_count = failure->tick;
  std::erase_if(up_to_failure.ticks, [&failure](const TickInputs& inputs) {
    return inputs.tick >= failure->tick;
  });
  RunCheck check(&rules, start, checks_restore);
  return MinimizeRun(start.info().inputs, check, up_to_failure,
                     failure->signature, options);
}

MinimizedRun MinimizeRun(const sim::InputGrammar& grammar, RunOracle& oracle,
                         const PlayedInputs& run, const std::string& signature,
                         const MinimizeOptions& options) {
  return Minimizer(grammar, oracle, options, signature).Run(run);
}

}  // namespace reprise::replays
