// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The mistakes that usually are behind a simulation that doesn't keep the
// contract, and which one it is, from what differs and what doesn't.

#ifndef REPRISE_TOOLS_REPRISE_CONFORMING_MISTAKE_KIND_H_
#define REPRISE_TOOLS_REPRISE_CONFORMING_MISTAKE_KIND_H_

#include <span>
#include <string>
#include <string_view>

namespace reprise::tools {

struct MistakeKind {
  std::string_view name;  // "address": a heading of docs/conforming.md, too
  std::string_view sentence;
};

// The kind of a name; REQUIRES: there is one.
const MistakeKind& KindOf(std::string_view name);

// "docs/conforming.md#address": what explains the cure.
std::string PageOf(const MistakeKind& kind);

// A check as far as it tells of mistakes.
struct CheckFinding {
  std::string_view check;  // "restored"
  bool has_failed = false;
  // The name of a kind that what differs shows by itself; empty: none.
  std::string_view evidence;
};

// The kind that is behind `finding`, one of `all`, which has failed.
const MistakeKind& KindBehind(const CheckFinding& finding,
                              std::span<const CheckFinding> all);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_CONFORMING_MISTAKE_KIND_H_
