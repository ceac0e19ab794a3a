// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/systems/systems.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "sim/base/check.h"

namespace reprise::sim {

std::vector<std::vector<TableIndex>> Systems::AddTables(
    const WorldDefinition& definition, State& state) {
  std::vector<std::vector<TableIndex>> tables;
  for (const auto& system : definition.systems) {
    std::vector<TableIndex>& own = tables.emplace_back();
    for (const auto& schema : system->declaration().tables) {
      own.push_back(state.AddTable(system->declaration().name, schema));
    }
  }
  return tables;
}

Systems::Systems(const WorldParts& parts,
                 std::vector<std::vector<TableIndex>> tables,
                 StepWriters& writers)
    : parts_(parts), writers_(writers) {
  const WorldDefinition& definition = parts.definition;
  for (size_t i = 0; i < definition.systems.size(); ++i) {
    systems_.push_back(definition.systems[i]->Create(
        {.parts = parts, .tables = std::move(tables[i])}));
    for (const Id event : definition.systems[i]->declaration().handles) {
      handlers_.emplace(event, systems_.back().get());
    }
    for (const Id action : definition.systems[i]->taken_commands()) {
      command_takers_.emplace(action, systems_.back().get());
    }
    for (const Id event : definition.systems[i]->overheard_events()) {
      overhearers_.emplace_back(event, systems_.back().get());
    }
  }
  // Those of one event in the order of their names, as systems stand.
  std::ranges::stable_sort(overhearers_, {},
                           [](const auto& each) { return each.first; });
  for (const std::unique_ptr<System>& system : systems_) {
    const auto& requests =
        definition.systems[&system - systems_.data()]->declaration().requests;
    for (uint32_t kind = 0; kind < requests.size(); ++kind) {
      answerers_.emplace(IdOf(requests[kind].name),
                         std::pair(system.get(), kind));
    }
  }
  for (size_t i = 0; i < kStepPointCount; ++i) {
    for (const ScheduledStep& step :
         definition.schedule.At(static_cast<StepPoint>(i))) {
      Due due{.step = step.step};
      if (step.declaration != nullptr) {
        due.system = Find(step.declaration->name);
        due.name = step.declaration->steps[step.step].name;
      }
      points_[i].push_back(due);
    }
  }
  for (const std::unique_ptr<System>& system : systems_) system->Connect(*this);
}

System* Systems::Find(std::string_view name) const {
  const auto& used = parts_.definition.systems;
  for (size_t i = 0; i < used.size(); ++i) {
    if (used[i]->declaration().name == name) return systems_[i].get();
  }
  return nullptr;
}

void Systems::Initialize() {
  for (const std::unique_ptr<System>& system : systems_) system->Initialize();
}

void Systems::Load() {
  for (const std::unique_ptr<System>& system : systems_) system->Load();
}

absl::Status Systems::CheckRows(const State& snapshot) const {
  for (const std::unique_ptr<System>& system : systems_) {
    absl::Status status = system->CheckRows(snapshot);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

void Systems::Run(const Due& due) {
  const ScopedWriter writer(writers_, [&] { return std::string(due.name); });
  due.system->Run(due.step);
}

bool Systems::OnEvent(uint32_t row, const WorldEvent& event) const {
  const auto handler = handlers_.find(event.type);
  return handler != handlers_.end() && handler->second->OnEvent(row, event);
}

void Systems::Overhear(uint32_t row, const WorldEvent& event) const {
  for (auto each = std::ranges::lower_bound(
           overhearers_, event.type, {},
           [](const auto& entry) { return entry.first; });
       each != overhearers_.end() && each->first == event.type; ++each) {
    each->second->Overhear(row, event);
  }
}

bool Systems::TakeCommand(uint32_t player, const Command& command,
                          Tick due) const {
  const auto taker = command_takers_.find(command.name);
  if (taker == command_takers_.end()) return false;
  const ScopedWriter writer(writers_, [] { return "commands"; });
  taker->second->TakeCommand(player, command, due);
  return true;
}

void Systems::Answer(const RequestRow& request) const {
  const auto found = answerers_.find(request.kind);
  CHECK(found != answerers_.end());
  found->second.first->Answer(found->second.second, request);
}

void Systems::AddToFrame(Frame& frame) const {
  for (const std::unique_ptr<System>& system : systems_) {
    system->AddToFrame(frame);
  }
}

void Systems::AddToDebugFrame(DebugFrame& frame) const {
  for (const std::unique_ptr<System>& system : systems_) {
    system->AddToDebugFrame(frame);
  }
}

}  // namespace reprise::sim
