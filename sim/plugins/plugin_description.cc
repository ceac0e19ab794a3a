// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/plugin_description.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/field.h"
#include "sim/base/math.h"
#include "sim/base/property_type.h"
#include "sim/plugins/plugin_legends.h"
#include "sim/plugins/plugin_text.h"
#include "sim/state/page.h"

namespace reprise::sim {
namespace {

// Tables that Reprise adds are few.
constexpr size_t kPluginTablesMax = 4000;

// What a region may take: 2^18 pages.
constexpr uint64_t kRegionBytesMax = uint64_t{1} << 30;

// Of an event, as of the events of packs.
constexpr size_t kEventArgumentsMax = 8;

constexpr auto kArgumentTypes = std::to_array<PropertyType>(
    {PropertyType::kBool, PropertyType::kInt, PropertyType::kDouble,
     PropertyType::kText, PropertyType::kVector2, PropertyType::kVector3});

bool HasDuplicate(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end()).size() !=
         names.size();
}

// A text of help: null or empty is none.
absl::StatusOr<std::string> ReadHelp(const char* text) {
  if (text == nullptr || *text == '\0') return std::string();
  const absl::Status status = CheckName(text);
  if (!status.ok()) return status;
  return std::string(text);
}

absl::StatusOr<ActionArgument> ReadArgument(const reprise_argument& argument) {
  absl::Status status = CheckName(argument.name);
  if (!status.ok()) return status;
  if (argument.kind >= kArgumentTypes.size()) {
    return absl::InvalidArgumentError(
        fmt::format("kind {} is none", argument.kind));
  }
  const PropertyType type = kArgumentTypes[argument.kind];
  if (type == PropertyType::kInt && argument.minimum > argument.maximum) {
    return absl::InvalidArgumentError("its minimum is above its maximum");
  }
  const bool is_number = type == PropertyType::kDouble ||
                         type == PropertyType::kVector2 ||
                         type == PropertyType::kVector3;
  if (is_number && (!IsFinite(argument.number_minimum) ||
                    !IsFinite(argument.number_maximum) ||
                    argument.number_minimum > argument.number_maximum)) {
    return absl::InvalidArgumentError("its numbers have no range");
  }
  if (type == PropertyType::kText &&
      (argument.bytes_max == 0 || argument.bytes_max > kInputTextBytesMax)) {
    return absl::InvalidArgumentError(
        fmt::format("its text has {} bytes, not 1 to {}", argument.bytes_max,
                    kInputTextBytesMax));
  }
  return ActionArgument{.name = argument.name,
                        .type = type,
                        .minimum = argument.minimum,
                        .maximum = argument.maximum,
                        .number_minimum = argument.number_minimum,
                        .number_maximum = argument.number_maximum,
                        .choices = {},
                        .bytes_max = argument.bytes_max};
}

// How many a device has of what actions of a kind name by their index, from
// `first` on; nullopt where there is one.
struct IndexRange {
  uint32_t first = 0;
  uint32_t end = 0;
};
std::optional<IndexRange> IndicesOf(Action::Kind kind) {
  switch (kind) {
    case Action::Kind::kButton:
      return IndexRange{.first = 0, .end = kDeviceButtons};
    case Action::Kind::kAxis:
      return IndexRange{.first = 0, .end = kDeviceAxes};
    case Action::Kind::kKey:
      return IndexRange{.first = kKeyMin, .end = kKeyMax + 1};
    case Action::Kind::kMouseButton:
      return IndexRange{.first = 0, .end = kMouseButtons};
    default:
      return std::nullopt;
  }
}

absl::Status CheckAction(const Action& action) {
  const std::optional<IndexRange> indices = IndicesOf(action.kind);
  if (indices.has_value() && (action.device_index < indices->first ||
                              action.device_index >= indices->end)) {
    return absl::InvalidArgumentError(
        fmt::format("device_index {} is not {} to {}", action.device_index,
                    indices->first, indices->end - 1));
  }
  uint32_t maximum = 0;
  if (action.kind == Action::Kind::kTouch) maximum = kTouchesMax;
  if (action.kind == Action::Kind::kText) maximum = kInputTextBytesMax;
  if (maximum != 0 && (action.maximum == 0 || action.maximum > maximum)) {
    return absl::InvalidArgumentError(
        fmt::format("maximum {} is not 1 to {}", action.maximum, maximum));
  }
  if (action.kind != Action::Kind::kCommand && !action.arguments.empty()) {
    return absl::InvalidArgumentError("only commands have arguments");
  }
  return absl::OkStatus();
}

absl::StatusOr<Action> ReadAction(const reprise_action& action) {
  absl::Status status = CheckName(action.name);
  if (!status.ok()) return status;
  if (action.kind > REPRISE_ACTION_TEXT) {
    return absl::InvalidArgumentError(
        fmt::format("kind {} is none", action.kind));
  }
  const auto arguments = ReadList<reprise_argument>(action.arguments);
  if (!arguments.ok()) return arguments.status();
  if (arguments->size() > kCommandArgumentsMax) {
    return absl::InvalidArgumentError(
        fmt::format("{} arguments are more than {}", arguments->size(),
                    kCommandArgumentsMax));
  }
  Action result = {.name = action.name,
                   .id = IdOf(action.name),
                   .kind = static_cast<Action::Kind>(action.kind),
                   .device_index = action.device_index,
                   .maximum = action.maximum};
  std::vector<std::string> names;
  for (uint32_t i = 0; i < arguments->size(); ++i) {
    const reprise_argument& argument = (*arguments)[i];
    absl::StatusOr<ActionArgument> read = ReadArgument(argument);
    if (!read.ok()) {
      return At(PluginItem("argument", i, argument.name), read.status());
    }
    names.push_back(read->name);
    result.arguments.push_back(*std::move(read));
  }
  if (HasDuplicate(names)) {
    return absl::InvalidArgumentError("two arguments have one name");
  }
  status = CheckAction(result);
  if (!status.ok()) return status;
  return result;
}

absl::StatusOr<InputGrammar> ReadInputs(const reprise_info& info) {
  if (info.player_count == 0 || info.player_count > kPlayersMax) {
    return absl::InvalidArgumentError(fmt::format(
        "player_count {} is not 1 to {}", info.player_count, kPlayersMax));
  }
  if (info.commands_per_tick_max > kCommandsPerTickMax) {
    return absl::InvalidArgumentError(
        fmt::format("commands_per_tick_max {} is above {}",
                    info.commands_per_tick_max, kCommandsPerTickMax));
  }
  const auto actions = ReadList<reprise_action>(info.actions);
  if (!actions.ok()) return At("actions", actions.status());
  InputGrammar grammar = {.player_count = info.player_count,
                          .commands_per_tick_max = info.commands_per_tick_max,
                          .actions = {}};
  std::vector<std::string> names;
  for (uint32_t i = 0; i < actions->size(); ++i) {
    const reprise_action& action = (*actions)[i];
    absl::StatusOr<Action> read = ReadAction(action);
    if (!read.ok()) {
      return At(PluginItem("action", i, action.name), read.status());
    }
    names.push_back(read->name);
    grammar.actions.push_back(*std::move(read));
  }
  if (HasDuplicate(names)) {
    return absl::InvalidArgumentError("two actions have one name");
  }
  return grammar;
}

// The layout of rows, whose legends become the description's.
absl::StatusOr<RowLayout> ReadLayout(const reprise_table& table,
                                     PluginDescription& description) {
  absl::StatusOr<RowLayout> layout = RowLayout::Read(table);
  if (!layout.ok()) return layout.status();
  absl::StatusOr<std::vector<Legend>> legends =
      ReadPluginLegends(table.room, *layout->schema(), table.legends);
  if (!legends.ok()) return legends.status();
  std::ranges::move(*legends, std::back_inserter(description.game.legends));
  return layout;
}

absl::Status CheckPlace(const char* room, const char* name) {
  absl::Status status = CheckName(name);
  if (status.ok()) status = At("its room", CheckName(room));
  if (!status.ok()) return status;
  if (room == kPluginHostRoom || room == kPluginInputRoom) {
    return absl::InvalidArgumentError(
        fmt::format("the room '{}' is taken", room));
  }
  return absl::OkStatus();
}

absl::Status ReadTable(const reprise_table& table,
                       PluginDescription& description) {
  const absl::Status status = CheckPlace(table.room, table.name);
  if (!status.ok()) return status;
  absl::StatusOr<RowLayout> layout = ReadLayout(table, description);
  if (!layout.ok()) return layout.status();
  description.tables.push_back(
      {.room = table.room, .layout = *std::move(layout)});
  return absl::OkStatus();
}

absl::Status ReadRegion(const reprise_region& region,
                        PluginDescription& description) {
  const absl::Status status = CheckPlace(region.room, region.name);
  if (!status.ok()) return status;
  if (region.size == 0 || region.size > kRegionBytesMax) {
    return absl::InvalidArgumentError(fmt::format(
        "its {} bytes are not 1 to {}", region.size, kRegionBytesMax));
  }
  PluginDescription::Region result = {.room = region.room,
                                      .name = region.name,
                                      .size = region.size,
                                      .layout = std::nullopt,
                                      .pages = nullptr};
  if (region.fields.count > 0) {
    absl::StatusOr<RowLayout> layout =
        ReadLayout({.room = region.room,
                    .name = region.name,
                    .key_fields = 0,
                    .row_size = static_cast<uint32_t>(region.size),
                    .fields = region.fields,
                    .legends = region.legends},
                   description);
    if (!layout.ok()) return layout.status();
    result.layout = *std::move(layout);
  } else if (region.legends.count > 0) {
    return absl::InvalidArgumentError("it has legends, and no fields");
  }
  const std::string pages_name = result.name + "_pages";
  const absl::Status pages_named = CheckName(pages_name.c_str());
  if (!pages_named.ok()) return At("its table of pages", pages_named);
  result.pages = std::make_shared<const RowSchema>(
      pages_name, /*key_field_count=*/0,
      std::vector<Field>{{.name = "words",
                          .unit = "",
                          .scalar = ScalarType::kUint64,
                          .shape = FieldShape::kArray,
                          .count = kPageSize / sizeof(uint64_t),
                          .offset = 0}});
  description.regions.push_back(std::move(result));
  return absl::OkStatus();
}

// The room and the name of each table that a state will have.
std::vector<std::pair<std::string, std::string>> PlacesOf(
    const PluginDescription& description) {
  std::vector<std::pair<std::string, std::string>> places;
  for (const PluginDescription::Table& table : description.tables) {
    places.emplace_back(table.room, table.layout.schema()->name());
  }
  for (const PluginDescription::Region& region : description.regions) {
    if (region.layout.has_value()) {
      places.emplace_back(region.room, region.name);
    }
    places.emplace_back(region.room, region.pages->name());
  }
  return places;
}

// Tables of one room stand together, and no two have one name.
absl::Status CheckPlaces(
    const std::vector<std::pair<std::string, std::string>>& places) {
  std::set<std::string> rooms;
  std::set<std::pair<std::string, std::string>> known;
  std::string_view last_room;
  for (const auto& place : places) {
    const auto& [room, name] = place;
    if (!known.insert(place).second) {
      return absl::InvalidArgumentError(
          fmt::format("room '{}' has two tables '{}'", room, name));
    }
    if (room == last_room) continue;
    if (!rooms.insert(room).second) {
      return absl::InvalidArgumentError(
          fmt::format("the tables of room '{}' don't stand together", room));
    }
    last_room = room;
  }
  return absl::OkStatus();
}

absl::Status ReadTables(const reprise_info& info,
                        PluginDescription& description) {
  const auto tables = ReadList<reprise_table>(info.tables);
  if (!tables.ok()) return At("tables", tables.status());
  const auto regions = ReadList<reprise_region>(info.regions);
  if (!regions.ok()) return At("regions", regions.status());
  const size_t count = tables->size() + regions->size();
  if (count == 0 || count > kPluginTablesMax) {
    return absl::InvalidArgumentError(fmt::format(
        "{} tables and regions are not 1 to {}", count, kPluginTablesMax));
  }
  for (uint32_t i = 0; i < tables->size(); ++i) {
    const reprise_table& table = (*tables)[i];
    const absl::Status status = ReadTable(table, description);
    if (!status.ok()) return At(PluginItem("table", i, table.name), status);
  }
  for (uint32_t i = 0; i < regions->size(); ++i) {
    const reprise_region& region = (*regions)[i];
    const absl::Status status = ReadRegion(region, description);
    if (!status.ok()) return At(PluginItem("region", i, region.name), status);
  }
  std::ranges::stable_sort(
      description.game.legends, {}, [](const Legend& legend) {
        return std::tie(legend.room, legend.table, legend.field);
      });
  const auto places = PlacesOf(description);
  if (places.size() > kPluginTablesMax) {
    return absl::InvalidArgumentError(
        fmt::format("tables and regions make {} tables, and at most {} can be",
                    places.size(), kPluginTablesMax));
  }
  return CheckPlaces(places);
}

absl::StatusOr<EventArgumentDescription> ReadEventArgument(
    const reprise_event_argument_type& argument) {
  absl::Status status = CheckName(argument.name);
  if (status.ok()) status = CheckUnit(argument.unit);
  if (!status.ok()) return status;
  if (argument.type != REPRISE_INT64 && argument.type != REPRISE_DOUBLE &&
      argument.type != REPRISE_OBJECT) {
    return absl::InvalidArgumentError(
        fmt::format("type {} is not one of an event's", argument.type));
  }
  return EventArgumentDescription{
      .name = argument.name,
      .type = static_cast<ScalarType>(argument.type),
      .unit = argument.unit == nullptr ? "" : argument.unit};
}

absl::StatusOr<EventDescription> ReadEvent(const reprise_event_type& event) {
  const absl::Status status = CheckName(event.name);
  if (!status.ok()) return status;
  const absl::StatusOr<std::string> when = ReadHelp(event.when);
  if (!when.ok()) return when.status();
  const auto arguments = ReadList<reprise_event_argument_type>(event.arguments);
  if (!arguments.ok()) return arguments.status();
  if (arguments->size() > kEventArgumentsMax) {
    return absl::InvalidArgumentError(
        fmt::format("{} arguments are more than {}", arguments->size(),
                    kEventArgumentsMax));
  }
  EventDescription result = {.name = event.name,
                             .sender = "the game",
                             .receiver = "the account of the run",
                             .when = *when};
  std::set<std::string> names;
  for (uint32_t i = 0; i < arguments->size(); ++i) {
    const reprise_event_argument_type& argument = (*arguments)[i];
    absl::StatusOr<EventArgumentDescription> read = ReadEventArgument(argument);
    absl::Status wrong = read.status();
    if (wrong.ok() && !names.insert(read->name).second) {
      wrong = absl::InvalidArgumentError("there are two of the name");
    }
    if (!wrong.ok()) return At(PluginItem("argument", i, argument.name), wrong);
    result.arguments.push_back(*std::move(read));
  }
  return result;
}

absl::Status ReadEvents(const reprise_info& info,
                        PluginDescription& description) {
  const auto events = ReadList<reprise_event_type>(info.events);
  if (!events.ok()) return At("events", events.status());
  std::set<std::string> types;
  for (uint32_t i = 0; i < events->size(); ++i) {
    const reprise_event_type& event = (*events)[i];
    absl::StatusOr<EventDescription> read = ReadEvent(event);
    absl::Status wrong = read.status();
    if (wrong.ok() && !types.insert(read->name).second) {
      wrong = absl::InvalidArgumentError("there are two of the name");
    }
    if (!wrong.ok()) return At(PluginItem("event", i, event.name), wrong);
    description.game.events.push_back(*std::move(read));
  }
  std::ranges::stable_sort(description.game.events, {},
                           &EventDescription::name);
  return absl::OkStatus();
}

absl::Status ReadNames(const reprise_info& info,
                       PluginDescription& description) {
  const auto names = ReadList<const char*>(info.names);
  if (!names.ok()) return At("names", names.status());
  for (uint32_t i = 0; i < names->size(); ++i) {
    const char* const name = (*names)[i];
    absl::Status status = CheckName(name);
    if (status.ok()) status = description.names.Add(name);
    if (!status.ok()) return At(PluginItem("name", i, name), status);
  }
  absl::Status status;
  for (const EventDescription& event : description.game.events) {
    status.Update(description.names.Add(event.name));
    for (const EventArgumentDescription& argument : event.arguments) {
      status.Update(description.names.Add(argument.name));
    }
  }
  for (const Action& action : description.inputs.actions) {
    status.Update(description.names.Add(action.name));
  }
  return status;
}

// What of a description a simulation can't change.
Digest FingerprintOf(const PluginDescription& description) {
  std::string text =
      fmt::format("{} {} {} {}\n", description.tick_rate.ticks_per_second,
                  description.rules_revision, description.inputs.player_count,
                  description.inputs.commands_per_tick_max);
  for (const PluginDescription::Table& table : description.tables) {
    text +=
        fmt::format("{}/{} {} {}\n", table.room, table.layout.schema()->name(),
                    table.layout.schema()->fingerprint().value,
                    table.layout.foreign_size());
  }
  for (const PluginDescription::Region& region : description.regions) {
    text += fmt::format("{}/{} {} {}\n", region.room, region.name, region.size,
                        region.layout.has_value()
                            ? region.layout->schema()->fingerprint().value
                            : 0);
  }
  for (const Action& action : description.inputs.actions) {
    text +=
        fmt::format("{} {} {} {}", action.name, static_cast<int>(action.kind),
                    action.device_index, action.maximum);
    for (const ActionArgument& argument : action.arguments) {
      text += fmt::format(" {} {} {} {} {} {} {}", argument.name,
                          static_cast<int>(argument.type), argument.minimum,
                          argument.maximum, argument.number_minimum,
                          argument.number_maximum, argument.bytes_max);
    }
    text += '\n';
  }
  for (const EventDescription& event : description.game.events) {
    text += event.name;
    for (const EventArgumentDescription& argument : event.arguments) {
      text += fmt::format(" {} {}", argument.name,
                          static_cast<int>(*argument.type));
    }
    text += '\n';
  }
  return DigestOf(std::as_bytes(std::span(text)));
}

}  // namespace

absl::StatusOr<PluginDescription> ReadPluginDescription(
    const reprise_info& info) {
  PluginDescription description;
  description.tick_rate.ticks_per_second = info.ticks_per_second;
  description.rules_revision = info.rules_revision;
  absl::Status status = ValidateTickRate(description.tick_rate);
  if (!status.ok()) {
    return absl::InvalidArgumentError(
        fmt::format("ticks_per_second: {}", std::string(status.message())));
  }
  absl::StatusOr<InputGrammar> inputs = ReadInputs(info);
  if (!inputs.ok()) return inputs.status();
  description.inputs = *std::move(inputs);
  status = ReadTables(info, description);
  if (status.ok()) status = ReadEvents(info, description);
  if (status.ok()) status = ReadNames(info, description);
  if (!status.ok()) return status;
  description.fingerprint = FingerprintOf(description);
  return description;
}

}  // namespace reprise::sim
