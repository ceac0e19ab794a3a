// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/observations/observed_group.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "fmt/format.h"
#include "services/base/status.h"
#include "sim/base/object_id.h"
#include "sim/expression/state_subjects.h"
#include "sim/expression/value.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"
#include "sim/state/table.h"

namespace reprise::services {
namespace {

// Bounds the memory that is kept of objects that are gone.
constexpr size_t kNamedObjectsMax = size_t{1} << 16;
// Of a row whose key and name are sent: tags, lengths and the key.
constexpr uint64_t kRowOverheadBytes = 14;
// Of a block, and of one of its columns.
constexpr uint64_t kBlockBytes = 32;
// Of one of its ticks.
constexpr uint64_t kTickBytes = 10;

// `name` as a text of an expression; nullopt where no quotes can hold it.
std::optional<std::string> Quote(const std::string& name) {
  if (name.find('\'') == std::string::npos) return "'" + name + "'";
  if (name.find('"') == std::string::npos) return '"' + name + '"';
  return std::nullopt;
}

}  // namespace

absl::Status ObservationError(std::string_view field,
                              std::string_view problem) {
  return WithReason(
      absl::InvalidArgumentError(fmt::format("{}: {}", field, problem)),
      "OBSERVATION_REFUSED", {{"field", field}});
}

absl::Status ObservationTooLargeError(std::string_view field,
                                      std::string_view problem) {
  return WithReason(
      absl::ResourceExhaustedError(fmt::format("{}: {}", field, problem)),
      "OBSERVATION_TOO_LARGE", {{"field", field}});
}

absl::StatusOr<ObservedGroup> ObservedGroup::Parse(
    const v1::ObservedGroup& group, const std::string& path,
    const sim::Simulation& simulation) {
  ObservedGroup parsed;
  parsed.every_ticks_ = group.every_ticks();
  absl::Status status = parsed.ParseFields(group, path, simulation);
  if (status.ok()) status = parsed.ParseCondition(group, path, simulation);
  if (status.ok()) status = parsed.ParseNames(group, path, simulation);
  if (!status.ok()) return status;
  return parsed;
}

absl::Status ObservedGroup::ParseFields(const v1::ObservedGroup& group,
                                        const std::string& path,
                                        const sim::Simulation& simulation) {
  if (group.fields().empty()) {
    return ObservationError(path + ".fields", "a group has fields");
  }
  if (std::cmp_greater(group.fields_size(), kObservedFieldsMax)) {
    return ObservationTooLargeError(
        path + ".fields", fmt::format("{} fields, more than {}",
                                      group.fields_size(), kObservedFieldsMax));
  }
  for (int i = 0; i < group.fields_size(); ++i) {
    const std::string field_path = fmt::format("{}.fields[{}]", path, i);
    auto field = ObservedField::Parse(group.fields(i), simulation);
    if (!field.ok()) {
      return ObservationError(field_path,
                              std::string(field.status().message()));
    }
    if (field->is_computed()) text_bytes_ += field->text().size();
    const bool has_keys = !field->keyed_tables().empty();
    if (i > 0 && has_keys != !fields_.front().keyed_tables().empty()) {
      return ObservationError(
          field_path,
          fmt::format("'{}' and '{}' don't go together: one belongs to "
                      "objects, and the other is the same for all of them",
                      fields_.front().text(), field->text()));
    }
    if (absl::Status status =
            AddKeys(field->keyed_tables(), field_path, simulation);
        !status.ok()) {
      return status;
    }
    for (const sim::TableIndex table : field->keyed_tables()) {
      tables_.insert(table.value);
    }
    fields_.push_back(*std::move(field));
  }
  return absl::OkStatus();
}

// The type is a part of the condition.
absl::Status ObservedGroup::ParseCondition(const v1::ObservedGroup& group,
                                           const std::string& path,
                                           const sim::Simulation& simulation) {
  if (group.type().empty() && group.where().empty()) return absl::OkStatus();
  const std::string where_path =
      path + (group.where().empty() ? ".type" : ".where");
  std::string text = group.where();
  if (!group.type().empty()) {
    const auto& types = simulation.description().types;
    const std::optional<std::string> type = Quote(group.type());
    if (!type.has_value() ||
        std::ranges::none_of(types, [&](const sim::TypeDescription& known) {
          return known.name == group.type();
        })) {
      return ObservationError(path + ".type",
                              fmt::format("no type '{}'", group.type()));
    }
    // Alone first, so that a mistake has its own column.
    if (!text.empty()) {
      if (auto alone = replays::Query::Parse(text, simulation); !alone.ok()) {
        return ObservationError(where_path,
                                std::string(alone.status().message()));
      }
      text = fmt::format("({}) and ", text);
    }
    text += "objects.type == " + *type;
  }
  auto query = replays::Query::Parse(text, simulation);
  if (!query.ok()) {
    return ObservationError(where_path, std::string(query.status().message()));
  }
  if (query->type() != sim::ExpressionType::kBool) {
    return ObservationError(where_path, "this is no condition");
  }
  auto tables = KeyedTablesOf(query->expression(), simulation.state());
  if (!tables.ok()) {
    return ObservationError(where_path, std::string(tables.status().message()));
  }
  if (tables->empty() || !key_type_.has_value()) {
    return ObservationError(
        where_path, "only what belongs to objects can be chosen by one");
  }
  if (absl::Status status = AddKeys(*tables, where_path, simulation);
      !status.ok()) {
    return status;
  }
  text_bytes_ += text.size();
  Condition& condition = condition_.emplace();
  condition.query = std::make_unique<const replays::Query>(*std::move(query));
  condition.evaluation =
      std::make_unique<replays::QueryEvaluation>(condition.query.get());
  condition.keyed_tables = *std::move(tables);
  return absl::OkStatus();
}

absl::Status ObservedGroup::ParseNames(const v1::ObservedGroup& group,
                                       const std::string& path,
                                       const sim::Simulation& simulation) {
  if (group.objects().empty()) return absl::OkStatus();
  if (group.objects_size() > kObservedNamesMax) {
    return ObservationTooLargeError(
        path + ".objects",
        fmt::format("{} names, more than {}", group.objects_size(),
                    kObservedNamesMax));
  }
  if (key_type_ != sim::ScalarType::kObject) {
    return ObservationError(path + ".objects",
                            "the fields belong to no objects");
  }
  for (int i = 0; i < group.objects_size(); ++i) {
    const std::optional<std::string> name = Quote(group.objects(i));
    const absl::Status known =
        name.has_value() ? replays::Query::Parse(
                               fmt::format("exists({})", *name), simulation)
                               .status()
                         : absl::InvalidArgumentError("no object is called so");
    if (!known.ok()) {
      return ObservationError(fmt::format("{}.objects[{}]", path, i),
                              std::string(known.message()));
    }
    names_.insert(group.objects(i));
  }
  return absl::OkStatus();
}

absl::Status ObservedGroup::AddKeys(const sim::SubjectTables& tables,
                                    const std::string& path,
                                    const sim::Simulation& simulation) {
  if (tables.empty()) return absl::OkStatus();
  const sim::RowSchema& schema =
      simulation.state().table(tables.front()).schema();
  const sim::ScalarType type = schema.fields()[0].scalar;
  if (key_type_.value_or(type) != type) {
    return ObservationError(
        path, fmt::format("the rows of {} are known by other keys than those "
                          "of the fields before",
                          schema.name()));
  }
  key_type_ = type;
  return absl::OkStatus();
}

v1::ObservedColumnLayouts ObservedGroup::Describe() const {
  v1::ObservedColumnLayouts layouts;
  for (const ObservedField& field : fields_) {
    *layouts.add_columns() = field.Describe();
  }
  layouts.set_has_keys(key_type_.has_value());
  return layouts;
}

void ObservedGroup::Observe(const ObservedTick& tick, uint32_t index,
                            uint64_t& bytes_left,
                            v1::Observations& observations) {
  std::vector<uint64_t> keys = FindKeys(tick);
  uint64_t row_bytes = 0;
  for (const ObservedField& field : fields_) row_bytes += field.row_bytes();
  const size_t found = keys.size();
  keys.resize(
      std::min<uint64_t>({found, bytes_left / (row_bytes + kRowOverheadBytes),
                          uint64_t{kObservedRowsMax}}));
  const std::vector<std::string> names =
      FitNames(tick, row_bytes, bytes_left, keys);
  v1::ObservationBlock& block = BlockOf(
      tick, index, keys, names, static_cast<uint32_t>(found - keys.size()),
      bytes_left, observations);
  uint64_t text_bytes_left = bytes_left;
  for (size_t i = 0; i < fields_.size(); ++i) {
    fields_[i].Read(tick, keys, text_bytes_left,
                    *block.mutable_columns(static_cast<int>(i)));
  }
  const size_t row_count = key_type_.has_value() ? keys.size() : 1;
  bytes_left =
      text_bytes_left - std::min(text_bytes_left, row_count * row_bytes);
}

std::vector<uint64_t> ObservedGroup::FindKeys(const ObservedTick& tick) {
  std::vector<uint64_t> keys;
  const sim::State& state = tick.simulation.state();
  if (condition_.has_value()) {
    condition_->evaluation->Visit(
        tick.simulation, tick.events,
        [&](const sim::StateSubject& subject,
            const sim::ExpressionAnswer& answer) {
          if (!answer.ok() || !sim::IsBool(*answer, true)) return;
          keys.push_back(KeyOf(condition_->keyed_tables, state, subject));
        });
  } else {
    for (const uint32_t index : tables_) {
      const sim::Table& table = state.table({index});
      const size_t middle = keys.size();
      for (uint32_t row = 0; row < table.row_count(); ++row) {
        keys.push_back(sim::KeyBits(table, row, 0));
      }
      std::inplace_merge(keys.begin(),
                         keys.begin() + static_cast<std::ptrdiff_t>(middle),
                         keys.end());
    }
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  }
  if (names_.empty()) return keys;
  if (is_named_.size() > kNamedObjectsMax) is_named_.clear();
  std::erase_if(keys,
                [&](uint64_t key) { return !IsNamed(tick.simulation, key); });
  return keys;
}

bool ObservedGroup::IsNamed(const sim::Simulation& simulation, uint64_t key) {
  const auto [known, is_new] = is_named_.try_emplace(key);
  if (is_new) known->second = names_.contains(NameOf(simulation, key));
  return known->second;
}

std::string ObservedGroup::NameOf(const sim::Simulation& simulation,
                                  uint64_t key) const {
  return sim::FormatFieldValue({.type = *key_type_, .bits = key},
                               sim::NamesOf(simulation));
}

std::vector<std::string> ObservedGroup::FitNames(
    const ObservedTick& tick, uint64_t row_bytes, uint64_t bytes_left,
    std::vector<uint64_t>& keys) const {
  std::vector<std::string> names;
  if (sent_keys_ == keys) return names;
  uint64_t bytes = 0;
  for (const uint64_t key : keys) {
    std::string name = NameOf(tick.simulation, key);
    bytes += row_bytes + kRowOverheadBytes + name.size();
    if (bytes > bytes_left) break;
    names.push_back(std::move(name));
  }
  keys.resize(names.size());
  return names;
}

// The block that goes on while the rows stay the same.
v1::ObservationBlock& ObservedGroup::BlockOf(
    const ObservedTick& tick, uint32_t index, const std::vector<uint64_t>& keys,
    const std::vector<std::string>& names, uint32_t rows_omitted,
    uint64_t& bytes_left, v1::Observations& observations) {
  const bool is_same = sent_keys_ == keys;
  v1::ObservationBlock* block = nullptr;
  if (block_.has_value() && is_same) {
    block = observations.mutable_blocks(*block_);
    if (block->rows_omitted() != rows_omitted) block = nullptr;
  }
  if (block == nullptr) {
    block_ = observations.blocks_size();
    block = observations.add_blocks();
    block->set_group(index);
    block->set_rows_omitted(rows_omitted);
    for (size_t i = 0; i < fields_.size(); ++i) block->add_columns();
    uint64_t bytes = kBlockBytes * (1 + fields_.size());
    if (!is_same) {
      v1::ObservedRows& rows = *block->mutable_rows();
      rows.set_count(key_type_.has_value() ? static_cast<uint32_t>(keys.size())
                                           : 1);
      for (size_t i = 0; i < keys.size(); ++i) {
        bytes += kRowOverheadBytes + names[i].size();
        rows.add_keys(keys[i]);
        rows.add_names(names[i]);
      }
      sent_keys_ = keys;
    }
    bytes_left -= std::min(bytes_left, bytes);
  }
  block->add_ticks(tick.simulation.tick());
  bytes_left -= std::min(bytes_left, kTickBytes);
  return *block;
}

}  // namespace reprise::services
