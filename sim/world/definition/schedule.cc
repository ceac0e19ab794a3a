// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/definition/schedule.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "sim/base/id.h"
#include "sim/world/components/built_in_events.h"
#include "sim/world/definition/request_rows.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kTheWorld = "the world";

bool IsName(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || c == '_';
  });
}

std::string_view RoomOf(std::string_view table) {
  return table.substr(0, table.find('.'));
}

// A step with all that decides its place.
struct Node {
  ScheduledStep step;
  std::string_view name;
  std::string_view owner;
  // Indices of those at the same point that have to come before it.
  std::set<size_t> before;
};

// Whether what `a` says that it writes meets what `b` does.
bool Meet(std::string_view a, std::string_view b) {
  return RoomOf(a) == RoomOf(b) && (a == b || a == RoomOf(a) || b == RoomOf(b));
}

// The names of systems, tables, steps and handlers, each once.
class NameChecker {
 public:
  absl::Status Check(std::span<const SystemDeclaration* const> systems) {
    for (const SystemDeclaration* system : systems) {
      absl::Status status = CheckSystem(*system);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

 private:
  absl::Status CheckSystem(const SystemDeclaration& system) {
    if (!IsName(system.name)) {
      return absl::InvalidArgumentError(
          fmt::format("'{}' is no name of a system", system.name));
    }
    if (std::ranges::find(WorldRooms(), system.name) != WorldRooms().end()) {
      return absl::InvalidArgumentError(fmt::format(
          "a system can't be called '{}', as a room of the world's is",
          system.name));
    }
    if (!names_.insert(system.name).second) {
      return absl::InvalidArgumentError(
          fmt::format("there are two systems '{}'", system.name));
    }
    std::set<std::string_view> tables;
    for (const auto& schema : system.tables) {
      if (!tables.insert(schema->name()).second) {
        return absl::InvalidArgumentError(
            fmt::format("the system '{}' has two tables '{}'", system.name,
                        schema->name()));
      }
    }
    for (const Id event : system.handles) {
      const auto [found, is_new] = handlers_.emplace(event, system.name);
      if (!is_new) {
        return absl::InvalidArgumentError(
            fmt::format("the systems '{}' and '{}' both handle the event '{}'",
                        found->second, system.name, NameOf(system, event)));
      }
    }
    for (const RequestKind& kind : system.requests) {
      const auto [found, is_new] = requests_.emplace(kind.name, system.name);
      if (!is_new || IdOf(kind.name) == kRayRequest || kind.per_tick_max == 0) {
        return absl::InvalidArgumentError(
            is_new ? fmt::format("the system '{}' can't answer requests '{}': "
                                 "they are the world's, or it never would",
                                 system.name, kind.name)
                   : fmt::format("the systems '{}' and '{}' both answer "
                                 "requests '{}'",
                                 found->second, system.name, kind.name));
      }
    }
    return absl::OkStatus();
  }

  static std::string NameOf(const SystemDeclaration& system, Id event) {
    for (const EventDeclaration& each : system.events) {
      if (IdOf(each.name) == event) return std::string(each.name);
    }
    for (const EventDeclaration& each : kBuiltInEvents) {
      if (IdOf(each.name) == event) return std::string(each.name);
    }
    return fmt::format("id#{:016x}", event.value);
  }

  std::set<std::string_view> names_;
  std::map<Id, std::string_view> handlers_;
  std::map<std::string_view, std::string_view> requests_;  // by kind
};

// The steps at one point.
class PointSchedule {
 public:
  PointSchedule(StepPoint point,
                std::span<const SystemDeclaration* const> systems)
      : point_(point) {
    size_t last = kNone;
    for (size_t i = 0; i < WorldSteps().size(); ++i) {
      if (WorldSteps()[i].point != point) continue;
      nodes_.push_back(
          {.step = {.declaration = nullptr, .step = static_cast<uint32_t>(i)},
           .name = WorldSteps()[i].name,
           .owner = kTheWorld,
           .before = {}});
      // What the world does itself is in its own order.
      if (last != kNone) nodes_.back().before.insert(last);
      last = nodes_.size() - 1;
    }
    for (const SystemDeclaration* system : systems) {
      for (size_t i = 0; i < system->steps.size(); ++i) {
        if (system->steps[i].point != point) continue;
        nodes_.push_back(
            {.step = {.declaration = system, .step = static_cast<uint32_t>(i)},
             .name = system->steps[i].name,
             .owner = system->name,
             .before = {}});
      }
    }
    // The order of registration is nothing: names are unique once checked.
    SortByName();
  }

  absl::StatusOr<std::vector<ScheduledStep>> Make(
      std::span<const SystemDeclaration* const> systems) {
    for (size_t i = 1; i < nodes_.size(); ++i) {
      if (nodes_[i].name != nodes_[i - 1].name) continue;
      return Error(fmt::format("{} and {} both have a step '{}'",
                               OwnerOf(nodes_[i - 1]), OwnerOf(nodes_[i]),
                               nodes_[i].name));
    }
    for (size_t i = 0; i < nodes_.size(); ++i) {
      absl::Status status = Connect(i, systems);
      if (!status.ok()) return status;
    }
    std::vector<size_t> order;
    absl::Status status = Sort(order);
    if (status.ok()) status = CheckOrder();
    if (!status.ok()) return status;
    std::vector<ScheduledStep> steps;
    steps.reserve(order.size());
    for (const size_t i : order) steps.push_back(nodes_[i].step);
    return steps;
  }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  void SortByName() {
    std::vector<size_t> order(nodes_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    // A total order: what has one name and owner is refused below.
    std::ranges::sort(order, {}, [&](size_t i) {
      return std::pair(nodes_[i].name, nodes_[i].owner);
    });
    std::vector<size_t> place(nodes_.size());
    for (size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    std::vector<Node> sorted;
    for (const size_t i : order) {
      Node node = nodes_[i];
      std::set<size_t> before;
      for (const size_t other : node.before) before.insert(place[other]);
      node.before = std::move(before);
      sorted.push_back(std::move(node));
    }
    nodes_ = std::move(sorted);
  }

  static std::string OwnerOf(const Node& node) {
    return node.owner == kTheWorld ? std::string(kTheWorld)
                                   : fmt::format("the system '{}'", node.owner);
  }

  absl::Status Error(std::string_view text) const {
    return absl::InvalidArgumentError(
        fmt::format("{}: {}", StepPointName(point_), text));
  }

  static const SystemStep& StepOf(const Node& node) {
    return node.step.declaration->steps[node.step.step];
  }

  size_t Find(std::string_view name) const {
    const auto found = std::ranges::lower_bound(nodes_, name, {}, &Node::name);
    if (found == nodes_.end() || found->name != name) return kNone;
    return static_cast<size_t>(found - nodes_.begin());
  }

  absl::Status Connect(size_t i,
                       std::span<const SystemDeclaration* const> systems) {
    Node& node = nodes_[i];
    if (node.step.declaration == nullptr) return absl::OkStatus();
    const SystemStep& step = StepOf(node);
    for (const std::string_view name : step.after) {
      const size_t other = Find(name);
      if (other == kNone) return Unknown(node, "after", name);
      node.before.insert(other);
    }
    for (const std::string_view name : step.before) {
      const size_t other = Find(name);
      if (other == kNone) return Unknown(node, "before", name);
      nodes_[other].before.insert(i);
    }
    for (const std::string_view table : step.writes) {
      const std::string_view room = RoomOf(table);
      if (std::ranges::find(WorldRooms(), room) != WorldRooms().end()) continue;
      return Error(fmt::format(
          "the step '{}' of the system '{}' writes '{}', which is {}",
          node.name, node.owner, table,
          IsSystem(room, systems) ? fmt::format("of the system '{}'", room)
                                  : "nobody's"));
    }
    for (const std::string_view name : step.asks) {
      if (IsSystem(name, systems)) continue;
      return Error(fmt::format(
          "the step '{}' of the system '{}' asks the system '{}', and there is "
          "no such system",
          node.name, node.owner, name));
    }
    return absl::OkStatus();
  }

  static bool IsSystem(std::string_view name,
                       std::span<const SystemDeclaration* const> systems) {
    return std::ranges::any_of(systems, [&](const SystemDeclaration* each) {
      return each->name == name;
    });
  }

  absl::Status Unknown(const Node& node, std::string_view relation,
                       std::string_view name) const {
    std::vector<std::string_view> names;
    for (const Node& each : nodes_) names.push_back(each.name);
    return Error(fmt::format(
        "the step '{}' of the system '{}' comes {} '{}', and there is no such "
        "step; there are {}",
        node.name, node.owner, relation, name, fmt::join(names, ", ")));
  }

  // Of those that wait for nobody any more, the first by name comes next.
  absl::Status Sort(std::vector<size_t>& order) {
    std::vector<bool> is_done(nodes_.size());
    earlier_.resize(nodes_.size());
    while (order.size() < nodes_.size()) {
      size_t next = kNone;
      for (size_t i = 0; i < nodes_.size() && next == kNone; ++i) {
        if (is_done[i]) continue;
        const bool is_free = std::ranges::all_of(
            nodes_[i].before, [&](size_t other) { return is_done[other]; });
        if (is_free) next = i;
      }
      if (next == kNone) return Ring(is_done);
      for (const size_t other : nodes_[next].before) {
        earlier_[next].insert(other);
        earlier_[next].insert(earlier_[other].begin(), earlier_[other].end());
      }
      is_done[next] = true;
      order.push_back(next);
    }
    return absl::OkStatus();
  }

  absl::Status Ring(const std::vector<bool>& is_done) const {
    // Whoever is left waits for somebody who is; going back, one comes again.
    size_t at = 0;
    while (is_done[at]) ++at;
    std::vector<size_t> way;
    while (std::ranges::find(way, at) == way.end()) {
      way.push_back(at);
      at = *std::ranges::find_if(nodes_[at].before,
                                 [&](size_t other) { return !is_done[other]; });
    }
    std::vector<std::string_view> names = {nodes_[at].name};
    for (auto each = way.rbegin(); each != way.rend(); ++each) {
      names.push_back(nodes_[*each].name);
      if (*each == at) break;
    }
    return Error(
        fmt::format("steps wait for each other: {}", fmt::join(names, " -> ")));
  }

  bool AreOrdered(size_t a, size_t b) const {
    return earlier_[a].contains(b) || earlier_[b].contains(a);
  }

  absl::Status CheckOrder() const {
    for (size_t b = 0; b < nodes_.size(); ++b) {
      for (size_t a = 0; a < b; ++a) {
        if (AreOrdered(a, b)) continue;
        const std::string_view table = WrittenByBoth(nodes_[a], nodes_[b]);
        if (table.empty()) continue;
        return Error(fmt::format(
            "'{}' of {} and '{}' of {} both write '{}', and neither is said to "
            "come first",
            nodes_[a].name, OwnerOf(nodes_[a]), nodes_[b].name,
            OwnerOf(nodes_[b]), table));
      }
    }
    return absl::OkStatus();
  }

  // Empty: nothing.
  static std::string_view WrittenByBoth(const Node& a, const Node& b) {
    if (a.step.declaration == nullptr) return b.owner;
    if (b.step.declaration == nullptr) return a.owner;
    for (const std::string_view one : WrittenBy(a)) {
      for (const std::string_view other : WrittenBy(b)) {
        if (Meet(one, other)) return one;
      }
    }
    return {};
  }

  static std::vector<std::string_view> WrittenBy(const Node& node) {
    const SystemStep& step = StepOf(node);
    std::vector<std::string_view> written = {node.owner};
    written.insert(written.end(), step.writes.begin(), step.writes.end());
    written.insert(written.end(), step.asks.begin(), step.asks.end());
    return written;
  }

  StepPoint point_;
  std::vector<Node> nodes_;                // ascending by name
  std::vector<std::set<size_t>> earlier_;  // of each, all that come before it
};

}  // namespace

Schedule::Schedule() {
  for (size_t i = 0; i < WorldSteps().size(); ++i) {
    points_[static_cast<size_t>(WorldSteps()[i].point)].push_back(
        {.declaration = nullptr, .step = static_cast<uint32_t>(i)});
  }
}

absl::StatusOr<Schedule> Schedule::Make(
    std::span<const SystemDeclaration* const> systems) {
  absl::Status status = NameChecker().Check(systems);
  if (!status.ok()) return status;
  Schedule schedule;
  for (size_t i = 0; i < kStepPointCount; ++i) {
    absl::StatusOr<std::vector<ScheduledStep>> steps =
        PointSchedule(static_cast<StepPoint>(i), systems).Make(systems);
    if (!steps.ok()) return steps.status();
    schedule.points_[i] = *std::move(steps);
  }
  return schedule;
}

Schedule Schedule::Only(std::span<const SystemDeclaration* const> used) const {
  Schedule schedule;
  for (size_t i = 0; i < kStepPointCount; ++i) {
    schedule.points_[i].clear();
    for (const ScheduledStep& step : points_[i]) {
      if (step.declaration == nullptr ||
          std::ranges::find(used, step.declaration) != used.end()) {
        schedule.points_[i].push_back(step);
      }
    }
  }
  return schedule;
}

}  // namespace reprise::sim
