// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a person expects of a run's end, as `run --expect` takes it: a query
// that has to hold for the tick, or for some object.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_EXPECTATION_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_EXPECTATION_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "replays/query/query.h"
#include "sim/event.h"
#include "sim/simulation.h"

namespace reprise::tools {

class Expectation {
 public:
  // Of how many of the objects that it is about it has to hold. Of none there
  // are, it holds of every one and of no one.
  enum class Subjects { kSome, kEvery };

  // Checks `text` against `simulation` before it runs. INVALID_ARGUMENT: it is
  // no query, or one that never holds.
  static absl::StatusOr<Expectation> Parse(std::string_view text,
                                           const sim::Simulation& simulation);

  // Nothing where it holds of `simulation` after a step that brought `events`;
  // otherwise what it names came to, or why there is no answer:
  // "tick 900, running; player.bodies.position.y = -0.5".
  std::optional<std::string> DescribeFailure(
      const sim::Simulation& simulation, std::span<const sim::Event> events,
      Subjects subjects = Subjects::kSome) const;

  // What was parsed.
  const std::string& text() const { return query_.text(); }

 private:
  explicit Expectation(replays::Query query) : query_(std::move(query)) {}

  replays::Query query_;
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_EXPECTATION_H_
