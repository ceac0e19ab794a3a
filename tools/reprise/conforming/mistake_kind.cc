// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/conforming/mistake_kind.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::tools {
namespace {

constexpr auto kKinds = std::to_array<MistakeKind>({
    {"address", "an address in the state"},
    {"container-order",
     "the order of a container that goes by addresses: a set of pointers, a "
     "hash of one"},
    {"clock", "a clock, chance, or whatever else is another each time"},
    {"chance", "random numbers of the system"},
    {"thread", "threads of its own"},
    {"file", "a file in the middle of a run"},
    {"net", "the network in the middle of a run"},
    {"uninitialised-memory", "memory that is never set"},
    {"libm", "sin, exp or pow of the system, which have other bits elsewhere"},
    {"language", "numbers read or written in the user's language"},
    {"time-zone", "the user's time zone"},
    {"environment", "a variable of the environment"},
    {"folder", "a file of the working folder"},
    {"hidden-state",
     "state that no row shows: a cache, a static variable, a generator of "
     "random numbers, a solver's memory of its last step"},
    {"padding", "a member of a row that no field describes"},
    {"hidden-change",
     "a write outside of what the plug-in says that it changed (changed_begin, "
     "changed_end)"},
    {"shared-state",
     "a global or static variable that simulations have in common"},
    {"thread-variable", "a variable of each thread"},
    {"float-control", "the control of floating point, changed or relied upon"},
    {"looking", "a call that only looks, and writes"},
    {"input-order", "inputs that count as they arrive"},
    {"build",
     "undefined behaviour, contraction of floating point, or other "
     "rules"},
    {"interface", "what the interface doesn't allow"},
    {"crash", "memory that isn't its own, or a promise that it broke"},
    {"hang", "a loop without an end, or a lock that is never left"},
});

bool Fails(std::span<const CheckFinding> all, std::string_view check) {
  return std::ranges::any_of(all, [check](const CheckFinding& finding) {
    return finding.check == check && finding.has_failed;
  });
}

bool Shows(std::span<const CheckFinding> all, std::string_view kind) {
  return std::ranges::any_of(all, [kind](const CheckFinding& finding) {
    return finding.has_failed && finding.evidence == kind;
  });
}

// What fails when just one thing of the surroundings is another.
std::string_view OfSurroundings(std::string_view check) {
  constexpr auto kBehind =
      std::to_array<std::pair<std::string_view, std::string_view>>({
          {"memory", "uninitialised-memory"},
          {"addresses", "container-order"},
          {"language", "language"},
          {"time zone", "time-zone"},
          {"environment", "environment"},
          {"folder", "folder"},
          {"processor", "libm"},
          {"rounding", "float-control"},
          {"watched", "looking"},
          {"drawn", "looking"},
          {"ordered", "input-order"},
      });
  for (const auto& [name, kind] : kBehind) {
    if (name == check) return kind;
  }
  return check.starts_with("build ") ? "build" : "";
}

std::string_view NameBehind(const CheckFinding& finding,
                            std::span<const CheckFinding> all) {
  if (!finding.evidence.empty()) return finding.evidence;
  // What is another each time fails everywhere, whatever is tried.
  for (const std::string_view kind : {"thread", "chance", "clock", "address"}) {
    if (Shows(all, kind)) return kind;
  }
  if (Fails(all, "again")) return "clock";
  // Whatever is tried, addresses and what lies there may be others, too.
  for (const std::string_view check : {"memory", "addresses"}) {
    if (Fails(all, check)) return OfSurroundings(check);
  }
  const std::string_view own = OfSurroundings(finding.check);
  if (!own.empty()) return own;
  // A state that it isn't in can't be gone on from.
  if (Shows(all, "hidden-change")) return "hidden-change";
  if (Shows(all, "padding")) return "padding";
  if (Fails(all, "restored")) return "hidden-state";
  return finding.check == "threads" ? "thread-variable" : "shared-state";
}

}  // namespace

const MistakeKind& KindOf(std::string_view name) {
  const auto found = std::ranges::find(kKinds, name, &MistakeKind::name);
  CHECK(found != kKinds.end(), "{} is no kind of mistake", name);
  return *found;
}

std::string PageOf(const MistakeKind& kind) {
  return fmt::format("docs/conforming.md#{}", kind.name);
}

const MistakeKind& KindBehind(const CheckFinding& finding,
                              std::span<const CheckFinding> all) {
  return KindOf(NameBehind(finding, all));
}

}  // namespace reprise::tools
