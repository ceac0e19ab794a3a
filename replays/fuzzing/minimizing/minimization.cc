// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/minimizing/minimization.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/fuzzing/checks/run_check.h"
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

// A pass makes runs to try, each a little plainer than the best one. Next gives
// one after the other as if none of them failed in the same way; after one that
// did, Accept goes on from there. Passes are values: who tries several runs at
// once keeps a copy behind each.

// Without all changes of a player, or of an action.
class DropKinds {
 public:
  DropKinds(bool by_player, uint64_t count)
      : by_player_(by_player), count_(count) {}

  std::optional<Changes> Next(const Changes& best) {
    while (kind_ < count_) {
      Changes changes = best;
      const auto dropped =
          std::erase_if(changes, [this](const ActionChange& one) {
            return (by_player_ ? one.player : one.action) == kind_;
          });
      ++kind_;
      if (dropped > 0) return changes;
    }
    return std::nullopt;
  }

  void Accept(const Changes& /*best*/) {}

 private:
  bool by_player_;
  uint64_t count_;
  uint64_t kind_ = 0;
};

// Without some that follow one another: halves first, then ever fewer. From the
// end: what comes late is seldom needed for what comes before, and what comes
// before isn't played again.
class DropChunks {
 public:
  explicit DropChunks(const Changes& best)
      : size_(std::max<size_t>(best.size() / 2, 1)), end_(best.size()) {}

  std::optional<Changes> Next(const Changes& best) {
    while (end_ == 0) {
      if (size_ <= 1) return std::nullopt;
      size_ /= 2;
      end_ = best.size();
    }
    const size_t begin = end_ - std::min(end_, size_);
    Changes changes = best;
    changes.erase(changes.begin() + static_cast<std::ptrdiff_t>(begin),
                  changes.begin() + static_cast<std::ptrdiff_t>(end_));
    end_ = begin;
    return changes;
  }

  void Accept(const Changes& best) { end_ = std::min(end_, best.size()); }

 private:
  size_t size_;
  size_t end_;  // of the next ones to leave out
};

// With less time before each change.
class CloseGaps {
 public:
  std::optional<Changes> Next(const Changes& best) {
    while (index_ < best.size()) {
      if (!is_begun_) {
        const sim::Tick before = index_ == 0 ? 0 : best[index_ - 1].tick;
        left_ = cut_ = best[index_].tick - before;
        is_begun_ = true;
      }
      if (cut_ == 0) {
        ++index_;
        is_begun_ = false;
        continue;
      }
      Changes changes = best;
      for (size_t i = index_; i < changes.size(); ++i) changes[i].tick -= cut_;
      last_cut_ = cut_;
      cut_ /= 2;
      return changes;
    }
    return std::nullopt;
  }

  // It may fail before this change by now.
  void Accept(const Changes& /*best*/) {
    left_ -= last_cut_;
    cut_ = std::min(last_cut_, left_);
  }

 private:
  size_t index_ = 0;
  bool is_begun_ = false;
  sim::Tick left_ = 0;      // before the change
  sim::Tick cut_ = 0;       // to try next
  sim::Tick last_cut_ = 0;  // that was tried
};

// Plainer ones of a number, the plainest first.
std::vector<int32_t> PlainerNumbers(int32_t number, bool is_axis) {
  std::vector<int32_t> plainer = {0};
  if (is_axis) plainer.push_back(number < 0 ? -kFull : kFull);
  // Round ones, the roundest first.
  for (int32_t round = 16384; round > 1; round /= 2) {
    plainer.push_back(number / round * round);
  }
  std::erase_if(
      plainer, [number](int32_t one) { return CostOf(one) >= CostOf(number); });
  return plainer;
}

// With rounder numbers, shorter texts and lists, and plainer arguments, one
// change after the other. A plainer value may make other changes needless, and
// then its place is another's: the pass goes on with the next.
class MakePlainer {
 public:
  explicit MakePlainer(const sim::InputGrammar* grammar) : grammar_(grammar) {}

  std::optional<Changes> Next(const Changes& best) {
    while (index_ < best.size()) {
      const sim::Action& action = grammar_->actions[best[index_].action];
      if (stage_ == Stage::kBegin) {
        count_ = best.size();
        stage_ = action.is_button() ? Stage::kEnd : Stage::kNumbers;
      }
      std::optional<ActionValue> value = NextValue(action, best[index_].value);
      if (value) {
        Changes changes = best;
        changes[index_].value = *std::move(value);
        return changes;
      }
      if (stage_ == Stage::kEnd) NextChange();
    }
    return std::nullopt;
  }

  void Accept(const Changes& best) {
    if (best.size() != count_) {
      NextChange();
    } else if (stage_ == Stage::kText) {
      alternative_ = 0;  // half of what is left
    } else {
      NextPart();
    }
  }

 private:
  enum class Stage : uint8_t { kBegin, kNumbers, kText, kArguments, kEnd };

  void NextChange() {
    ++index_;
    Enter(Stage::kBegin);
  }
  void NextPart() {
    ++part_;
    alternative_ = 0;
  }
  void Enter(Stage stage) {
    stage_ = stage;
    part_ = 0;
    alternative_ = 0;
  }

  // nullopt: the stage or its part is over, and another one is entered.
  std::optional<ActionValue> NextValue(const sim::Action& action,
                                       ActionValue value) {
    switch (stage_) {
      case Stage::kNumbers:
        return NextNumber(action.kind == Kind::kAxis, std::move(value));
      case Stage::kText:
        if (value.text.empty() || alternative_ > 0) {
          Enter(Stage::kArguments);
          return std::nullopt;
        }
        ++alternative_;
        value.text.resize(value.text.size() / 2);
        return value;
      case Stage::kArguments:
        return NextArgument(std::move(value));
      default:
        return std::nullopt;
    }
  }

  std::optional<ActionValue> NextNumber(bool is_axis, ActionValue value) {
    if (part_ == value.numbers.size()) {
      Enter(Stage::kText);
      return std::nullopt;
    }
    int32_t& number = value.numbers[part_];
    const std::vector<int32_t> plainer = PlainerNumbers(number, is_axis);
    if (alternative_ == plainer.size()) {
      NextPart();
      return std::nullopt;
    }
    number = plainer[alternative_++];
    return value;
  }

  std::optional<ActionValue> NextArgument(ActionValue value) {
    if (part_ == value.arguments.size()) {
      Enter(Stage::kEnd);
      return std::nullopt;
    }
    sim::InputValue& argument = value.arguments[part_];
    if (argument.is_list) {
      if (argument.values.empty() || alternative_ > 0) {
        NextPart();
        return std::nullopt;
      }
      ++alternative_;
      argument.values.resize(argument.values.size() / 2);
      return value;
    }
    std::vector<sim::SingleValue> plainer = PlainerValues(argument.values[0]);
    if (alternative_ == plainer.size()) {
      NextPart();
      return std::nullopt;
    }
    argument.values[0] = std::move(plainer[alternative_++]);
    return value;
  }

  const sim::InputGrammar* grammar_;
  size_t index_ = 0;  // of the change
  size_t count_ = 0;  // of all changes when it was begun
  Stage stage_ = Stage::kBegin;
  size_t part_ = 0;         // which number or argument
  size_t alternative_ = 0;  // of its plainer values, the next
};

class Minimizer {
 public:
  Minimizer(const sim::InputGrammar& grammar, RunOracle& oracle,
            const MinimizeOptions& options, std::string signature)
      : grammar_(grammar),
        options_(options),
        signature_(std::move(signature)),
        oracles_({&oracle}) {
    while (oracles_.size() < options_.jobs) {
      std::unique_ptr<RunOracle> fork = oracle.Fork();
      if (fork == nullptr) break;
      oracles_.push_back(fork.get());
      forks_.push_back(std::move(fork));
    }
  }

  MinimizedRun Run(const PlayedInputs& run) {
    HeldDevices held(grammar_.player_count);
    Changes changes = ToChanges(grammar_, run.ticks, held);
    best_.ticks_run = oracles_.front()->ticks();
    best_.failure.tick = run.tick_count;
    best_.inputs = run;
    best_.changes = changes;
    std::vector<Trial> first(1);
    first[0].inputs = InputsOf(std::move(changes));
    Play(first);
    if (!TakeOver(first, 0)) return std::move(best_);
    bool has_helped = true;
    while (has_helped && !is_over()) {
      has_helped = false;
      has_helped |= RunPass(DropKinds(true, grammar_.player_count));
      has_helped |= RunPass(DropKinds(false, grammar_.actions.size()));
      has_helped |= RunPass(DropChunks(best_.changes));
      has_helped |= RunPass(CloseGaps());
      has_helped |= RunPass(MakePlainer(&grammar_));
    }
    best_.is_done = !is_over();
    return std::move(best_);
  }

 private:
  // A run that is tried, and what came of it.
  struct Trial {
    std::vector<TickInputs> inputs;
    std::optional<RunFailure> failure;
    uint64_t ticks = 0;
  };

  bool is_over() const {
    return is_stopped_ ||
           (options_.ticks_max > 0 && best_.ticks_run >= options_.ticks_max);
  }

  // Tries as many runs of a pass at a time as there are oracles. The first of
  // them that fails in the same way is taken over, and those behind it count as
  // never tried: so it is as if one was tried after the other.
  template <typename Pass>
  bool RunPass(Pass pass) {
    bool has_helped = false;
    while (!is_over()) {
      std::vector<Trial> trials;
      std::vector<Pass> behind;
      while (trials.size() < oracles_.size()) {
        std::optional<Changes> changes = pass.Next(best_.changes);
        if (!changes) break;
        trials.push_back({.inputs = InputsOf(*std::move(changes))});
        behind.push_back(pass);
      }
      if (trials.empty()) break;
      Play(trials);
      for (size_t i = 0; i < trials.size() && !is_over(); ++i) {
        if (!TakeOver(trials, i)) continue;
        has_helped = true;
        pass = behind[i];
        pass.Accept(best_.changes);
        TellProgress();
        break;
      }
    }
    return has_helped;
  }

  std::vector<TickInputs> InputsOf(Changes changes) const {
    std::erase_if(changes, [this](const ActionChange& change) {
      return change.tick >= best_.failure.tick;
    });
    HeldDevices held(grammar_.player_count);
    return ToTickInputs(grammar_, changes, held);
  }

  // Each by an oracle and a thread of its own.
  void Play(std::vector<Trial>& trials) {
    const sim::Tick tick_count = best_.failure.tick;
    const auto play = [&trials, tick_count, this](size_t place) {
      Trial& trial = trials[place];
      RunOracle& oracle = *oracles_[place];
      const uint64_t before = oracle.ticks();
      trial.failure = oracle.Run(trial.inputs, tick_count);
      trial.ticks = oracle.ticks() - before;
    };
    std::vector<std::thread> threads;
    for (size_t place = 1; place < trials.size(); ++place) {
      threads.emplace_back(play, place);
    }
    play(0);
    for (std::thread& thread : threads) thread.join();
  }

  // Counts a run that was tried, and takes it over if it fails in the same way,
  // no later.
  bool TakeOver(std::vector<Trial>& trials, size_t place) {
    Trial& trial = trials[place];
    ++best_.runs_tried;
    best_.ticks_run += trial.ticks;
    const std::optional<RunFailure>& failure = trial.failure;
    if (!failure || failure->signature != signature_) return false;
    for (size_t i = 0; i < oracles_.size(); ++i) {
      if (i != place) oracles_[i]->AdoptOf(*oracles_[place]);
    }
    oracles_[place]->Adopt();
    best_.failure = *failure;
    std::erase_if(trial.inputs, [&failure](const TickInputs& one) {
      return one.tick >= failure->tick;
    });
    // What the frames say, without what changes nothing, in their order.
    HeldDevices held(grammar_.player_count);
    best_.changes = ToChanges(grammar_, trial.inputs, held);
    best_.inputs = {.ticks = std::move(trial.inputs),
                    .tick_count = failure->tick};
    return true;
  }

  void TellProgress() {
    if (options_.on_progress == nullptr) return;
    if (!options_.on_progress(best_)) is_stopped_ = true;
  }

  const sim::InputGrammar& grammar_;
  const MinimizeOptions& options_;
  const std::string signature_;
  std::vector<RunOracle*> oracles_;
  std::vector<std::unique_ptr<RunOracle>> forks_;  // all but the first
  MinimizedRun best_;
  bool is_stopped_ = false;
};

}  // namespace

absl::StatusOr<MinimizedRun> MinimizeRun(const sim::Simulation& start,
                                         const FuzzRules& rules,
                                         const PlayedInputs& run,
                                         const MinimizeOptions& options) {
  RunShadow shadow;
  absl::StatusOr<RunFailure> failure = FindFailure(start, rules, run, &shadow);
  if (!failure.ok()) return failure.status();
  PlayedInputs up_to_failure = run;
  up_to_failure.tick_count = failure->tick;
  std::erase_if(up_to_failure.ticks, [&failure](const TickInputs& inputs) {
    return inputs.tick >= failure->tick;
  });
  RunCheck check(&rules, start, shadow);
  MinimizedRun small = MinimizeRun(start.info().inputs, check, up_to_failure,
                                   failure->signature, options);
  if (small.failure.signature.empty()) {
    return absl::FailedPreconditionError(fmt::format(
        "the run fails ({}) and, played again, doesn't: the game goes by more "
        "than its state and its inputs",
        failure->signature));
  }
  return small;
}

MinimizedRun MinimizeRun(const sim::InputGrammar& grammar, RunOracle& oracle,
                         const PlayedInputs& run, const std::string& signature,
                         const MinimizeOptions& options) {
  return Minimizer(grammar, oracle, options, signature).Run(run);
}

}  // namespace reprise::replays
