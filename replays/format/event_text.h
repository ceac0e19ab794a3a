// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// An event in a line of text, for people.

#ifndef REPRISE_REPLAYS_FORMAT_EVENT_TEXT_H_
#define REPRISE_REPLAYS_FORMAT_EVENT_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "reprise/v1/event.pb.h"

namespace reprise::replays {

// "goal_reached runner score=3": its type, whom it happened to, and its
// arguments in order; without its tick, and without a line's end even where a
// name from a file has one.
std::string FormatEvent(const v1::Event& event);

// Names of objects by what earlier events said of them: a recording has a
// number for what is gone when its tick ends. Events have to come in order.
class EventNames {
 public:
  // Of more objects than this no name is kept.
  static constexpr size_t kNamesMax = 1'000'000;

  // As FormatEvent, with the names that objects had.
  std::string Format(const v1::Event& event);

 private:
  // The name that stands for "object#7"; `text` itself where none is known.
  std::string NameOf(const std::string& text) const;

  std::map<uint64_t, std::string> names_;  // by serial
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_EVENT_TEXT_H_
