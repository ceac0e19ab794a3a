// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/reports/event_output.h"

#include <string>
#include <utility>

#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/messages/proto_conversion.h"
#include "reprise/v1/event.pb.h"
#include "tools/reprise/terminal/escaped_text.h"

namespace reprise::tools {

void EventOutput::Take(std::span<const sim::Event> events,
                       const sim::Simulation& simulation) {
  for (const sim::Event& event : events) {
    if (++count_ > kEventsMax) {
      if (count_ == kEventsMax + 1) {
        console_.Warning(fmt::format("events behind the first {} are not shown",
                                     kEventsMax));
      }
      continue;
    }
    const std::string text = names_.Format(replays::ToProto(event, simulation));
    if (is_json_) {
      kept_.push_back({{"tick", event.tick}, {"event", text}});
    } else {
      fmt::print(console_.out(), "tick {}: {}\n", event.tick, EscapeLine(text));
    }
  }
}

Json EventOutput::TakeJson() { return std::exchange(kept_, Json::array()); }

}  // namespace reprise::tools
