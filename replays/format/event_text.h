// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// An event in a line of text, for people.

#ifndef REPRISE_REPLAYS_FORMAT_EVENT_TEXT_H_
#define REPRISE_REPLAYS_FORMAT_EVENT_TEXT_H_

#include <string>

#include "reprise/v1/event.pb.h"

namespace reprise::replays {

// "goal_reached runner score=3": its type, whom it happened to, and its
// arguments in order; without its tick, and without a line's end even where a
// name from a file has one.
std::string FormatEvent(const v1::Event& event);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_EVENT_TEXT_H_
