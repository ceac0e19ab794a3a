// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/conforming/onlooker.h"

#include <vector>

#include "absl/status/statusor.h"
#include "sim/event.h"
#include "sim/frame.h"

namespace reprise::replays {

void Onlooker::LookAt(sim::Simulation& simulation) {
  for (int times = 0; times < 2; ++times) {
    simulation.outcome();
    simulation.FrameMeshes();
    simulation.description();
    simulation.ProducePicture().IgnoreError();
    const sim::Frame frame = simulation.ProduceFrame();
    for (const sim::FrameObject& object : frame.objects) {
      simulation.ObjectName(object.object);
    }
    const std::vector<sim::Event> events = simulation.DrainEvents();
    for (const sim::Event& event : events) {
      simulation.ObjectName(event.object);
      simulation.IdName(event.type);
    }
  }
}

void Onlooker::OnPhase(uint32_t /*phase*/, const sim::State& state) {
  copy_ = state;
}

void Onlooker::OnWriter(std::string_view /*writer*/, const sim::State& state) {
  copy_ = state;
}

}  // namespace reprise::replays
