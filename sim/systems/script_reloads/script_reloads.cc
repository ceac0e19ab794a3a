// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/script_reloads/script_reloads.h"

#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/script/script_program.h"
#include "sim/script/script_source_rows.h"
#include "sim/state/field_value.h"
#include "sim/systems/script_reloads/script_reload_events.h"
#include "sim/systems/script_reloads/script_revision.h"
#include "sim/systems/scripts/script_events.h"
#include "sim/systems/scripts/script_texts.h"
#include "sim/world/components/world_names.h"
#include "sim/world/events/event_router.h"
#include "sim/world/events/world_event.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kSourceTable = 0;

static_assert(kSourceBytesMax == kCommandTextBytesMax);
static_assert(ScriptReloads::kSystem == kSourceRoom);

}  // namespace

const SystemDeclaration& ScriptReloadsDefinition::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "scripts that players replace while the game runs",
      .tables = {RowSchema::Of<ScriptSourceRow>()},
      .steps = {},
      .events = kScriptReloadEvents,
      .handles = {},
      .components = {},
      .legends = {},
      .requests = {},
      .words = {}};
  return declaration;
}

std::unique_ptr<System> ScriptReloadsDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<ScriptReloads>(place);
}

void ScriptReloads::Connect(const Systems& systems) {
  scripts_ = systems.Find<Scripts>();
  CHECK(scripts_ != nullptr);
}

absl::StatusOr<std::shared_ptr<const ScriptProgram>> ScriptReloads::Revise(
    const std::map<Id, std::string>& sources) const {
  return ReviseProgram(scripts_->definition(),
                       parts().definition.description.bots, sources);
}

void ScriptReloads::Load() {
  absl::StatusOr<std::map<Id, std::string>> sources =
      ReadSources(table(kSourceTable));
  CHECK(sources.ok(), "{}", sources.status().ToString());
  if (*sources == sources_) return;
  auto program = Revise(*sources);
  CHECK(program.ok(), "{}", program.status().ToString());
  scripts_->Use(*std::move(program));
  sources_ = *std::move(sources);
}

absl::Status ScriptReloads::CheckRows(const State& snapshot) const {
  const auto sources = ReadSources(snapshot.table(index(kSourceTable)));
  if (!sources.ok()) return sources.status();
  if (*sources == sources_) return absl::OkStatus();
  const auto program = Revise(*sources);
  if (program.ok()) return absl::OkStatus();
  return absl::DataLossError(
      fmt::format("snapshot: sources of scripts that were never taken: {}",
                  std::string(program.status().message())));
}

absl::Status ScriptReloads::Reload(const std::string& file,
                                   const std::string& source) {
  std::map<Id, std::string> sources = sources_;
  sources[IdOf(file)] = source;
  auto program = Revise(sources);
  if (!program.ok()) return program.status();
  scripts_->ChangeTo(*std::move(program));
  sources_ = std::move(sources);
  WriteSource(IdOf(file), source, mutable_table(kSourceTable));
  return absl::OkStatus();
}

void ScriptReloads::TakeCommand(uint32_t player, const Command& command,
                                Tick due) {
  // What the grammar gives the action.
  const std::string& file = command.arguments.at(0).values.at(0).text;
  const std::string& source = command.arguments.at(1).values.at(0).text;
  const absl::Status status = Reload(file, source);
  WorldEvent event{
      .type = status.ok() ? kScriptReloaded : kScriptReloadRefused,
      .arguments = {{kPlayer, FieldValue::OfInt64(int64_t{player})},
                    {kScriptFile, FieldValue::OfId(KeepText(parts(), file))}}};
  if (!status.ok()) {
    const std::string_view why(status.message().data(),
                               status.message().size());
    CHECK(event.arguments
              .Set(kScriptMessage, FieldValue::OfId(KeepText(parts(), why)))
              .ok());
  }
  parts().router->PostAt(event, due);
}

}  // namespace reprise::sim
