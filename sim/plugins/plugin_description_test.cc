// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what a plug-in says of itself is taken as it is, and that what
// can't be is refused by the name of the table, the field and the entry: one
// description that can be, with one thing changed.

#include "sim/plugins/plugin_description.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

struct Ball {
  uint64_t number;
  double speed[3];
  uint8_t kind;
  uint8_t flags;
};

// Each list is the caller's to change.
struct Described {
  std::array<reprise_legend_entry, 2> kinds = {{{0, "ball"}, {1, "egg"}}};
  std::array<reprise_legend_entry, 2> bits = {{{0, "spins"}, {31, "rests"}}};
  std::array<reprise_legend, 2> legends = {{{"kind", 0, {}}, {"flags", 1, {}}}};
  std::array<reprise_field, 4> fields = {
      {REPRISE_MEMBER(Ball, number, "", REPRISE_UINT64),
       REPRISE_MEMBER_OF(Ball, speed, "m/s", REPRISE_DOUBLE, REPRISE_VECTOR3,
                         3),
       REPRISE_MEMBER(Ball, kind, "", REPRISE_UINT8),
       REPRISE_MEMBER(Ball, flags, "", REPRISE_UINT8)}};
  std::array<reprise_table, 1> tables = {
      {{"court", "balls", 1, sizeof(Ball), {}, {}}}};
  std::array<reprise_field, 1> bytes = {
      {{"heat", "K", REPRISE_FLOAT, REPRISE_SCALAR, 1, 96}}};
  std::array<reprise_region, 1> regions = {{{"court", "memory", 100, {}, {}}}};
  std::array<reprise_event_argument_type, 2> arguments = {
      {{"total", REPRISE_INT64, ""}, {"of", REPRISE_OBJECT, ""}}};
  std::array<reprise_event_type, 2> events = {
      {{"caught", "", {}}, {"lost", "", {}}}};
  std::array<const char*, 1> names = {"red"};
  std::function<void(reprise_info&)> change;

  absl::StatusOr<PluginDescription> Read() {
    const auto list = [](const auto& items) {
      return reprise_list{items.data(), static_cast<uint32_t>(items.size()),
                          sizeof(items[0])};
    };
    tables[0].fields = list(fields);
    legends[0].entries = list(kinds);
    legends[1].entries = list(bits);
    tables[0].legends = list(legends);
    regions[0].fields = list(bytes);
    events[0].arguments = list(arguments);
    reprise_info info = {.struct_size = sizeof(reprise_info),
                         .ticks_per_second = 60,
                         .rules_revision = 1,
                         .player_count = 1,
                         .commands_per_tick_max = 0,
                         .actions = {},
                         .tables = list(tables),
                         .events = list(events),
                         .names = list(names),
                         .regions = list(regions)};
    if (change) change(info);
    return ReadPluginDescription(info);
  }
};

TEST(PluginDescriptionTest, WhatCanBeIsTakenAsItIs) {
  const absl::StatusOr<PluginDescription> read = Described().Read();
  ASSERT_TRUE(read.ok()) << read.status();

  ASSERT_THAT(read->tables, SizeIs(1));
  EXPECT_THAT(read->tables[0].layout.schema()->fields(), SizeIs(4));
  EXPECT_THAT(read->regions, SizeIs(1));
  const Legend* const kinds = read->game.FindLegend("court", "balls", "kind");
  ASSERT_NE(kinds, nullptr);
  EXPECT_THAT(kinds->entries,
              ElementsAre(Legend::Entry{.value = 0, .name = "ball"},
                          Legend::Entry{.value = 1, .name = "egg"}));
  EXPECT_TRUE(read->game.FindLegend("court", "balls", "flags")->is_mask);
}

struct WrongDescription {
  const char* name;
  void (*change)(Described& described);
  const char* sentence;
};

class WrongDescriptionTest : public ::testing::TestWithParam<WrongDescription> {
};

TEST_P(WrongDescriptionTest, IsRefusedByName) {
  Described described;
  GetParam().change(described);
  const absl::Status status = described.Read().status();

  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::string(status.message()), GetParam().sentence);
}

constexpr uint32_t kHuge = std::numeric_limits<uint32_t>::max();

INSTANTIATE_TEST_SUITE_P(
    Tables, WrongDescriptionTest,
    ::testing::Values(
        WrongDescription{"TableWithoutName",
                         [](Described& d) { d.tables[0].name = nullptr; },
                         "table 0: it has no name"},
        WrongDescription{"TableWithoutRoom",
                         [](Described& d) { d.tables[0].room = nullptr; },
                         "table 'balls': its room: it has no name"},
        WrongDescription{"RoomThatIsTaken",
                         [](Described& d) { d.tables[0].room = "input"; },
                         "table 'balls': the room 'input' is taken"},
        WrongDescription{"RowsOfNoBytes",
                         [](Described& d) { d.tables[0].row_size = 0; },
                         "table 'balls': its rows of 0 bytes are not 1 to "
                         "1073741824"},
        WrongDescription{"RowsOfFarTooManyBytes",
                         [](Described& d) { d.tables[0].row_size = kHuge; },
                         "table 'balls': its rows of 4294967295 bytes are not "
                         "1 to 1073741824"},
        WrongDescription{"MoreKeysThanFields",
                         [](Described& d) { d.tables[0].key_fields = kHuge; },
                         "table 'balls': it has 4 fields, 4294967295 of them "
                         "keys"},
        WrongDescription{"RegionWithoutName",
                         [](Described& d) { d.regions[0].name = ""; },
                         "region 0: it has no name"},
        WrongDescription{"RegionOfATablesName",
                         [](Described& d) { d.regions[0].name = "balls"; },
                         "room 'court' has two tables 'balls'"},
        WrongDescription{
            "TableOfARegionsPages",
            [](Described& d) { d.tables[0].name = "memory_pages"; },
            "room 'court' has two tables 'memory_pages'"},
        WrongDescription{"NoTables",
                         [](Described& d) {
                           d.change = [](reprise_info& info) {
                             info.tables = {};
                             info.regions = {};
                           };
                         },
                         "0 tables and regions are not 1 to 4000"},
        WrongDescription{"FarTooManyTables",
                         [](Described& d) {
                           d.change = [](reprise_info& info) {
                             info.tables.count = kHuge;
                           };
                         },
                         "tables: a list of 4294967295 items of 56 bytes can't "
                         "be: at most 65536, of 56 to 4096 bytes"}),
    [](const auto& instance) { return instance.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Fields, WrongDescriptionTest,
    ::testing::Values(
        WrongDescription{"FieldWithoutName",
                         [](Described& d) { d.fields[2].name = nullptr; },
                         "table 'balls': field 2: it has no name"},
        WrongDescription{"TwoFieldsOfOneName",
                         [](Described& d) { d.fields[3].name = "kind"; },
                         "table 'balls': field 'kind': there are two of the "
                         "name"},
        WrongDescription{"FieldOfAVectorsScalar",
                         [](Described& d) { d.fields[2].name = "speed.y"; },
                         "table 'balls': field 'speed.y': another field has "
                         "its 'speed.y'"},
        WrongDescription{"FieldBehindTheRow",
                         [](Described& d) { d.fields[3].offset = 40; },
                         "table 'balls': field 'flags': it reaches beyond the "
                         "40 bytes of a row"},
        WrongDescription{"FieldThatWrapsAround",
                         [](Described& d) { d.fields[3].offset = kHuge; },
                         "table 'balls': field 'flags': it reaches beyond the "
                         "40 bytes of a row"},
        WrongDescription{"VectorThatReachesBehindTheRow",
                         [](Described& d) { d.fields[1].offset = 24; },
                         "table 'balls': field 'speed': it reaches beyond the "
                         "40 bytes of a row"},
        WrongDescription{"ArrayOfFarTooMany",
                         [](Described& d) {
                           d.fields[1].shape = REPRISE_ARRAY;
                           d.fields[1].count = kHuge;
                         },
                         "table 'balls': field 'speed': it has 4294967295 "
                         "scalars, not 1 to 512"},
        WrongDescription{"VectorOfTwo",
                         [](Described& d) { d.fields[1].count = 2; },
                         "table 'balls': field 'speed': its shape has 3 "
                         "scalars, not 2"},
        WrongDescription{"ShapeThatIsNone",
                         [](Described& d) { d.fields[2].shape = 77; },
                         "table 'balls': field 'kind': shape 77 is none"},
        WrongDescription{"TypeThatIsNone",
                         [](Described& d) { d.fields[2].type = 0; },
                         "table 'balls': field 'kind': type 0 is none"},
        WrongDescription{"KeyThatIsNone",
                         [](Described& d) { d.fields[0].type = REPRISE_INT64; },
                         "table 'balls': field 'number': a key is one "
                         "REPRISE_UINT64 or REPRISE_OBJECT"},
        WrongDescription{"FieldOfARegionBehindIt",
                         [](Described& d) { d.bytes[0].offset = 97; },
                         "region 'memory': field 'heat': it reaches beyond the "
                         "100 bytes of a row"},
        WrongDescription{"UnitThatIsNoText",
                         [](Described& d) { d.fields[2].unit = "m\n"; },
                         "table 'balls': field 'kind': its unit has control "
                         "characters"}),
    [](const auto& instance) { return instance.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Legends, WrongDescriptionTest,
    ::testing::Values(
        WrongDescription{"LegendWithoutField",
                         [](Described& d) { d.legends[1].field = nullptr; },
                         "table 'balls': legend 1: it has no name"},
        WrongDescription{"LegendOfNoField",
                         [](Described& d) { d.legends[0].field = "colour"; },
                         "table 'balls': legend 'colour': there is no whole "
                         "number of the name"},
        WrongDescription{"LegendOfANumber",
                         [](Described& d) { d.legends[0].field = "speed"; },
                         "table 'balls': legend 'speed': there is no whole "
                         "number of the name"},
        WrongDescription{"TwoLegendsOfOneField",
                         [](Described& d) { d.legends[1].field = "kind"; },
                         "table 'balls': legend 'kind': there are two of its "
                         "field"},
        WrongDescription{"MaskThatIsNeither",
                         [](Described& d) { d.legends[1].is_mask = 7; },
                         "table 'balls': legend 'flags': is_mask 7 is not 0 "
                         "or 1"},
        WrongDescription{"EntryWithoutName",
                         [](Described& d) { d.kinds[1].name = nullptr; },
                         "table 'balls': legend 'kind': entry 1: it has no "
                         "name"},
        WrongDescription{"TwoEntriesOfOneName",
                         [](Described& d) { d.kinds[1].name = "ball"; },
                         "table 'balls': legend 'kind': entry 'ball': there "
                         "are two of the name"},
        WrongDescription{"TwoEntriesOfOneNumber",
                         [](Described& d) { d.kinds[1].value = 0; },
                         "table 'balls': legend 'kind': entry 'egg': there "
                         "are two of the number 0"},
        WrongDescription{"EntryThatCantBe",
                         [](Described& d) { d.kinds[1].value = -1; },
                         "table 'balls': legend 'kind': entry 'egg': its field "
                         "can't be -1"},
        WrongDescription{"BitThatCantBe",
                         [](Described& d) { d.bits[1].value = 32; },
                         "table 'balls': legend 'flags': entry 'rests': its "
                         "field has bits 0 to 31, and not 32"},
        WrongDescription{"BitBelowTheFirst",
                         [](Described& d) { d.bits[1].value = -1; },
                         "table 'balls': legend 'flags': entry 'rests': its "
                         "field has bits 0 to 31, and not -1"},
        WrongDescription{"LegendsWithoutFields",
                         [](Described& d) {
                           d.change = [&d](reprise_info&) {
                             d.regions[0].fields = {};
                             d.regions[0].legends = d.tables[0].legends;
                           };
                         },
                         "region 'memory': it has legends, and no fields"}),
    [](const auto& instance) { return instance.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Events, WrongDescriptionTest,
    ::testing::Values(
        WrongDescription{"EventWithoutName",
                         [](Described& d) { d.events[1].name = nullptr; },
                         "event 1: it has no name"},
        WrongDescription{"TwoEventsOfOneName",
                         [](Described& d) { d.events[1].name = "caught"; },
                         "event 'caught': there are two of the name"},
        WrongDescription{"TwoArgumentsOfOneName",
                         [](Described& d) { d.arguments[1].name = "total"; },
                         "event 'caught': argument 'total': there are two of "
                         "the name"},
        WrongDescription{"NameThatIsNone",
                         [](Described& d) { d.names[0] = nullptr; },
                         "name 0: it has no name"}),
    [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace reprise::sim
