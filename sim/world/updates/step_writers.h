// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Tells whoever watches a step which part of the world writes at the moment.
// Costs one comparison a part while nobody watches.

#ifndef REPRISE_SIM_WORLD_UPDATES_STEP_WRITERS_H_
#define REPRISE_SIM_WORLD_UPDATES_STEP_WRITERS_H_

#include <string>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::sim {

// Belongs to one world.
class StepWriters {
 public:
  // `state` must remain live while this is in use.
  explicit StepWriters(const State* state) : state_(*state) {}

  // From now on tells `observer`, if it wants to know; null: nobody.
  void set_observer(PhaseObserver* observer) {
    CHECK(running_.empty());
    observer_ =
        observer != nullptr && observer->wants_writers() ? observer : nullptr;
  }

  bool is_watched() const { return observer_ != nullptr; }

  // One that begins while another runs (an event that is handled at once)
  // interrupts it. REQUIRES: is_watched().
  void Begin(std::string writer) {
    Tell();
    running_.push_back(std::move(writer));
  }
  void End() {
    Tell();
    running_.pop_back();
  }

 private:
  void Tell() {
    if (!running_.empty()) observer_->OnWriter(running_.back(), state_);
  }

  const State& state_;
  PhaseObserver* observer_ = nullptr;
  std::vector<std::string> running_;
};

// A writer's name from here to the end of the block.
class ScopedWriter {
 public:
  // `name` gives a string; it isn't called while nobody watches.
  template <typename Name>
  ScopedWriter(StepWriters& writers, const Name& name)
      : writers_(writers.is_watched() ? &writers : nullptr) {
    if (writers_ != nullptr) writers_->Begin(name());
  }
  ~ScopedWriter() {
    if (writers_ != nullptr) writers_->End();
  }
  ScopedWriter(const ScopedWriter&) = delete;
  ScopedWriter& operator=(const ScopedWriter&) = delete;

 private:
  StepWriters* const writers_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_UPDATES_STEP_WRITERS_H_
