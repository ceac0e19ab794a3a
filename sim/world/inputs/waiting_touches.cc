// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/inputs/waiting_touches.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace reprise::sim {
namespace {

// A finger as its row says it in `waiting`.
struct Finger {
  bool is_held = false;
  bool again = false;  // it also went to the other side and back
};

Finger FingerOf(const TouchRow* waiting, bool was_down) {
  if (waiting == nullptr) return {};
  switch (waiting->phase) {
    case TouchPhase::kHeld:
      return {.is_held = true, .again = false};
    case TouchPhase::kBegan:
      return {.is_held = true, .again = true};
    case TouchPhase::kEnded:
      return {.is_held = false, .again = !was_down};
    case TouchPhase::kEndedTwice:
      return {.is_held = false, .again = true};
  }
  return {};
}

// nullopt: a finger that is up, of which nothing waits.
std::optional<TouchPhase> PhaseOf(Finger finger, bool was_down) {
  if (finger.is_held) {
    return finger.again ? TouchPhase::kBegan : TouchPhase::kHeld;
  }
  if (was_down) {
    return finger.again ? TouchPhase::kEndedTwice : TouchPhase::kEnded;
  }
  if (finger.again) return TouchPhase::kEnded;
  return std::nullopt;
}

const TouchRow* Find(std::span<const TouchRow> rows, uint64_t touch) {
  const auto found =
      std::ranges::lower_bound(rows, touch, {}, &TouchRow::touch);
  return found != rows.end() && found->touch == touch ? &*found : nullptr;
}

bool IsDown(const TouchRow* found) {
  return found != nullptr && found->phase != TouchPhase::kEnded;
}

void Put(const TouchRow& row, std::vector<TouchRow>& rows) {
  const auto place =
      std::ranges::lower_bound(rows, row.touch, {}, &TouchRow::touch);
  if (place != rows.end() && place->touch == row.touch) {
    *place = row;
  } else {
    rows.insert(place, row);
  }
}

// What a step makes of a finger: its row, where it has one any more, and what
// waits then.
struct FoundFinger {
  std::optional<TouchRow> found;
  std::optional<TouchRow> waiting;
};

// REQUIRES: one of them isn't null.
FoundFinger FindFinger(const TouchRow* waiting, const TouchRow* found) {
  const bool was_down = IsDown(found);
  Finger finger = FingerOf(waiting, was_down);
  const bool turns = finger.again && was_down == finger.is_held;
  const bool is_down = finger.is_held != turns;
  // Where it was before it came down again.
  const bool stays = !is_down && finger.again;
  if (turns) finger.again = false;
  FoundFinger result;
  if (was_down || is_down) {
    result.found = waiting == nullptr || stays ? *found : *waiting;
    result.found->phase = !is_down   ? TouchPhase::kEnded
                          : was_down ? TouchPhase::kHeld
                                     : TouchPhase::kBegan;
  }
  const std::optional<TouchPhase> phase = PhaseOf(finger, is_down);
  if (phase.has_value()) {
    result.waiting = *waiting;
    result.waiting->phase = *phase;
  }
  return result;
}

}  // namespace

std::vector<TouchRow> WaitingTouchesOf(std::span<const TouchRow> found) {
  std::vector<TouchRow> waiting;
  for (const TouchRow& row : found) {
    if (!IsDown(&row)) continue;
    waiting.push_back(row);
    waiting.back().phase = TouchPhase::kHeld;
  }
  return waiting;
}

void GatherTouches(std::span<const TouchRow> found,
                   std::span<const Touch> given,
                   std::vector<TouchRow>& waiting) {
  const auto is_tap = [&](const TouchRow& row) {
    return row.phase == TouchPhase::kEnded && !IsDown(Find(found, row.touch));
  };
  auto taps = static_cast<size_t>(std::ranges::count_if(waiting, is_tap));
  std::vector<TouchRow> kept;
  for (TouchRow row : waiting) {
    const bool was_down = IsDown(Find(found, row.touch));
    Finger finger = FingerOf(&row, was_down);
    const bool is_given =
        std::ranges::binary_search(given, row.touch, {}, &Touch::id);
    if (finger.is_held && !is_given) {  // it is lifted
      finger = {.is_held = false, .again = finger.again || !was_down};
      row.phase = *PhaseOf(finger, was_down);
      if (is_tap(row) && ++taps > kWaitingTapsMax) continue;
    }
    kept.push_back(row);
  }
  waiting = std::move(kept);
  for (const Touch& touch : given) {
    const bool was_down = IsDown(Find(found, touch.id));
    Finger finger = FingerOf(Find(waiting, touch.id), was_down);
    if (!finger.is_held) finger.again |= was_down;
    finger.is_held = true;
    Put({.player = 0,
         .touch = touch.id,
         .phase = *PhaseOf(finger, was_down),
         .x = touch.x,
         .y = touch.y,
         .pressure = touch.pressure},
        waiting);
  }
}

void FindTouches(std::vector<TouchRow>& waiting, std::vector<TouchRow>& found) {
  std::vector<TouchRow> next_waiting;
  std::vector<TouchRow> next_found;
  const auto find = [&](const TouchRow* wait, const TouchRow* row) {
    const FoundFinger finger = FindFinger(wait, row);
    if (finger.found.has_value()) next_found.push_back(*finger.found);
    if (finger.waiting.has_value()) next_waiting.push_back(*finger.waiting);
  };
  auto wait = waiting.begin();
  auto row = found.begin();
  while (wait != waiting.end() || row != found.end()) {
    if (row == found.end() ||
        (wait != waiting.end() && wait->touch < row->touch)) {
      find(&*wait++, nullptr);
    } else if (wait == waiting.end() || row->touch < wait->touch) {
      find(nullptr, &*row++);
    } else {
      find(&*wait++, &*row++);
    }
  }
  waiting = std::move(next_waiting);
  found = std::move(next_found);
}

}  // namespace reprise::sim
