// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/fuzzing_compiler.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "google/protobuf/repeated_ptr_field.h"

namespace reprise::sim {
namespace {

using google::protobuf::RepeatedPtrField;

// Each expression is evaluated at each tick.
constexpr int kExpressionsMax = 64;
constexpr int kNamesMax = 256;
constexpr int kSetExpressionsMax = 4;
// As any expression's.
constexpr size_t kExpressionBytesMax = 4096;
constexpr uint32_t kWeightMax = 1000;
constexpr int kSequenceActionsMax = 64;
// A minute at the usual rate.
constexpr uint32_t kHoldTicksMax = 3600;
constexpr uint32_t kStuckTicksMax = 1'000'000;

class FuzzingCompiler {
 public:
  FuzzingCompiler(const MessageChecker& checker, const InputGrammar& inputs,
                  EventCatalogue& events)
      : checker_(checker), inputs_(inputs), events_(events) {}

  FuzzingDescription Compile(const v1::Fuzzing& message) {
    FuzzingDescription fuzzing;
    fuzzing.always = Expressions("always", message.always());
    fuzzing.sometimes = Expressions("sometimes", message.sometimes());
    fuzzing.reachable = Events("reachable", message.reachable());
    fuzzing.unreachable = Events("unreachable", message.unreachable());
    fuzzing.maximize = Expressions("maximize", message.maximize());
    fuzzing.minimize = Expressions("minimize", message.minimize());
    fuzzing.sets = Sets(message);
    CheckSize("never_use", message.never_use_size(), kNamesMax);
    for (const std::string& action : message.never_use()) {
      if (CheckAction("never_use", action, checker_) != nullptr) {
        fuzzing.never_used.push_back(action);
      }
    }
    fuzzing.weights = Weights(message);
    fuzzing.sequences = Sequences(message);
    fuzzing.stuck_ticks =
        checker_.Count("stuck_ticks", message.stuck_ticks(), 0, kStuckTicksMax);
    if (message.world_radius_m() != 0.0) {
      fuzzing.world_radius_m =
          checker_.Positive("world_radius_m", message.world_radius_m());
    }
    return fuzzing;
  }

 private:
  void CheckSize(std::string_view field, int size, int size_max) const {
    if (size > size_max) {
      checker_.Problem(field,
                       fmt::format("{}; {} are the most", size, size_max));
    }
  }

  // A name that no other thing here has.
  std::string Name(const std::string& name, const MessageChecker& place) {
    if (!names_.insert(place.Name("name", name)).second) {
      place.Problem("name", fmt::format("'{}' stands there twice", name));
    }
    return name;
  }

  static std::string Expression(std::string_view field, const std::string& text,
                                const MessageChecker& place) {
    if (text.empty()) place.Problem(field, "it is empty");
    if (text.size() > kExpressionBytesMax) {
      place.Problem(field, fmt::format("{} bytes; {} are the most", text.size(),
                                       kExpressionBytesMax));
    }
    return text;
  }

  std::vector<FuzzingExpression> Expressions(
      std::string_view field,
      const RepeatedPtrField<v1::FuzzingExpression>& messages) {
    CheckSize(field, messages.size(), kExpressionsMax);
    std::vector<FuzzingExpression> expressions;
    for (int i = 0; i < messages.size(); ++i) {
      const MessageChecker place = checker_.In(messages[i], field, i);
      std::string name = Name(messages[i].name(), place);
      expressions.push_back(
          {.name = std::move(name),
           .text = Expression("that", messages[i].that(), place)});
    }
    return expressions;
  }

  std::vector<std::string> Events(std::string_view field,
                                  const RepeatedPtrField<std::string>& names) {
    CheckSize(field, names.size(), kNamesMax);
    std::set<std::string> events;
    for (const std::string& name : names) {
      events_.Refer(EventRole::kHears, field, name, checker_);
      events.insert(name);
    }
    return {events.begin(), events.end()};
  }

  std::vector<FuzzingSet> Sets(const v1::Fuzzing& message) {
    CheckSize("set", message.set_size(), kExpressionsMax);
    std::vector<FuzzingSet> sets;
    for (int i = 0; i < message.set_size(); ++i) {
      const v1::FuzzingSet& given = message.set(i);
      const MessageChecker place = checker_.In(given, "set", i);
      FuzzingSet set{.name = Name(given.name(), place)};
      if (given.of_size() == 0) place.Problem("of", "it is empty");
      if (given.of_size() > kSetExpressionsMax) {
        place.Problem("of", fmt::format("{}; {} are the most", given.of_size(),
                                        kSetExpressionsMax));
      }
      for (const std::string& text : given.of()) {
        set.expressions.push_back(Expression("of", text, place));
      }
      if (given.step() != 0.0) set.step = place.Positive("step", given.step());
      sets.push_back(std::move(set));
    }
    return sets;
  }

  // The action; null after a problem.
  const Action* CheckAction(std::string_view field, const std::string& name,
                            const MessageChecker& place) const {
    const Action* const action = inputs_.Find(IdOf(name));
    if (action != nullptr) return action;
    std::vector<std::string> known;
    for (const Action& one : inputs_.actions) known.push_back(one.name);
    place.NoSuch(field, "action", name, known);
    return nullptr;
  }

  std::vector<FuzzingWeight> Weights(const v1::Fuzzing& message) {
    CheckSize("weights", message.weights_size(), kNamesMax);
    std::vector<FuzzingWeight> weights;
    std::set<std::string> actions;
    for (int i = 0; i < message.weights_size(); ++i) {
      const v1::FuzzingWeight& given = message.weights(i);
      const MessageChecker place = checker_.In(given, "weights", i);
      if (CheckAction("action", given.action(), place) == nullptr) continue;
      if (!actions.insert(given.action()).second) {
        place.Problem("action",
                      fmt::format("'{}' stands there twice", given.action()));
      }
      weights.push_back(
          {.action = given.action(),
           .weight = place.Count("weight", given.weight(), 1, kWeightMax)});
    }
    return weights;
  }

  std::vector<FuzzingSequence> Sequences(const v1::Fuzzing& message) {
    CheckSize("sequences", message.sequences_size(), kExpressionsMax);
    std::vector<FuzzingSequence> sequences;
    for (int i = 0; i < message.sequences_size(); ++i) {
      const v1::FuzzingSequence& given = message.sequences(i);
      const MessageChecker place = checker_.In(given, "sequences", i);
      FuzzingSequence sequence{.name = Name(given.name(), place)};
      place.Count("actions", static_cast<uint32_t>(given.actions_size()), 1,
                  kSequenceActionsMax);
      for (const std::string& name : given.actions()) {
        const Action* const action = CheckAction("actions", name, place);
        if (action == nullptr) continue;
        if (!action->is_button()) {
          place.Problem("actions",
                        fmt::format("'{}' is no button and no key", name));
        }
        sequence.actions.push_back(name);
      }
      if (given.hold_ticks() != 0) {
        sequence.hold_ticks =
            place.Count("hold_ticks", given.hold_ticks(), 1, kHoldTicksMax);
      }
      sequences.push_back(std::move(sequence));
    }
    return sequences;
  }

  const MessageChecker& checker_;
  const InputGrammar& inputs_;
  EventCatalogue& events_;
  std::set<std::string> names_;
};

}  // namespace

FuzzingDescription CompileFuzzing(const v1::Pack& pack,
                                  const MessageChecker& checker,
                                  const InputGrammar& inputs,
                                  EventCatalogue& events) {
  if (!pack.has_fuzzing()) return {};
  const MessageChecker place = checker.In(pack.fuzzing(), "fuzzing");
  return FuzzingCompiler(place, inputs, events).Compile(pack.fuzzing());
}

}  // namespace reprise::sim
