// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What happens in a run, a line an event, with the names that objects had, also
// of those that are gone.

#ifndef REPRISE_TOOLS_REPRISE_REPORTS_EVENT_OUTPUT_H_
#define REPRISE_TOOLS_REPRISE_REPORTS_EVENT_OUTPUT_H_

#include <cstdint>
#include <span>

#include "replays/format/event_text.h"
#include "sim/event.h"
#include "sim/simulation.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

class EventOutput {
 public:
  // What is behind so many is counted, and not kept for a document.
  static constexpr uint64_t kEventsMax = 1'000'000;

  // Prints lines or, for a document, keeps them.
  EventOutput(bool is_json, Console* console)
      : is_json_(is_json), console_(*console) {}

  // Takes the events of the last step, in the names of after it.
  void Take(std::span<const sim::Event> events,
            const sim::Simulation& simulation);

  // A list of objects with tick and event, "goal_reached runner score=3".
  Json TakeJson();

 private:
  const bool is_json_;
  Console& console_;
  uint64_t count_ = 0;
  Json kept_ = Json::array();
  replays::EventNames names_;
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_REPORTS_EVENT_OUTPUT_H_
