// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that an index which follows what comes and goes finds what one that is
// made anew does: in thousands of random changes of random worlds.

#include "sim/world/objects/object_index.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/random.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"
#include "sim/world/components/component.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/slots.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kComponents = 4;
constexpr uint32_t kNames = 6;

// Three types: with components 0 and 2; with none; with 1, 2 and 3.
WorldDefinition MakeDefinition() {
  WorldDefinition definition;
  for (uint32_t i = 0; i < kComponents; ++i) {
    definition.components.push_back(MakeComponent(
        fmt::format("c{}", i), "",
        {{.name = "value", .default_value = {FieldValue::OfDouble(0.0)}}}));
  }
  const std::array<std::vector<uint32_t>, 3> components = {
      std::vector<uint32_t>{0, 2}, {}, {1, 2, 3}};
  for (uint32_t i = 0; i < components.size(); ++i) {
    TypeDefinition& type = definition.types.emplace_back();
    type.name = fmt::format("t{}", i);
    type.id = IdOf(type.name);
    for (const uint32_t component : components[i]) {
      type.components.push_back({.component = component, .row = {}});
    }
  }
  return definition;
}

// The tables of a world, and an index that follows them.
class Model {
 public:
  explicit Model(uint64_t seed)
      : definition_(MakeDefinition()),
        index_(definition_),
        random_(MakeRandomStream(seed, IdOf("index"))),
        objects_(state_.AddTable("world", RowSchema::Of<ObjectRow>())),
        slots_(state_.AddTable("world", RowSchema::Of<SlotRow>())) {
    for (const ComponentDefinition& component : definition_.components) {
      components_.push_back(state_.AddTable("components", component.schema));
    }
    index_.Load(state_, objects_, slots_, components_);
  }

  uint64_t Below(uint64_t bound) { return NextBelow(random_, bound); }
  uint32_t object_count() const { return state_.table(objects_).row_count(); }

  void Spawn() {
    const auto type = static_cast<uint32_t>(Below(definition_.types.size()));
    const Id name =
        Below(2) == 0 ? kNoId : IdOf(fmt::format("n{}", Below(kNames)));
    Table& slots = state_.mutable_table(slots_);
    const ObjectId object{allocation_.next_serial++};
    const Handle handle = *ReserveSlot(1 << 20, slots, allocation_);
    SettleSlot(handle, object, slots);
    Table& objects = state_.mutable_table(objects_);
    objects.Resize(objects.row_count() + 1);
    objects.Mutable<ObjectRow>(objects.row_count() - 1) = {
        .object = object,
        .name = name,
        .type = definition_.types[type].id,
        .handle = handle};
    std::vector<uint32_t> rows;
    for (const ComponentUse& use : definition_.types[type].components) {
      Table& table = state_.mutable_table(components_[use.component]);
      rows.push_back(table.row_count());
      table.Resize(table.row_count() + 1);
      std::memcpy(table.MutableRow(rows.back()).data(), &object,
                  sizeof(object));
    }
    index_.Append(type, handle.index, name, rows);
  }

  // Takes each object with a chance of one in `one_in`.
  void Destroy(uint64_t one_in) {
    std::vector<uint32_t> rows;
    for (uint32_t row = 0; row < object_count(); ++row) {
      if (Below(one_in) == 0) rows.push_back(row);
    }
    Table& objects = state_.mutable_table(objects_);
    for (const uint32_t row : rows) {
      const auto object = objects.Get<ObjectRow>(row);
      FreeSlot(object.handle, state_.mutable_table(slots_), allocation_);
      for (const TableIndex component : components_) {
        Table& table = state_.mutable_table(component);
        const std::array key = {object.object.serial};
        const uint32_t place = table.LowerBound(key);
        if (place < table.row_count() &&
            std::memcmp(table.Row(place).data(), key.data(), 8) == 0) {
          table.Erase(std::array{place});
        }
      }
    }
    objects.Erase(rows);
    index_.Erase(rows);
  }

  void ExpectAsAnew() const {
    ObjectIndex anew(definition_);
    anew.Load(state_, objects_, slots_, components_);
    ASSERT_EQ(index_.object_count(), anew.object_count());
    const Table& objects = state_.table(objects_);
    for (uint32_t row = 0; row < anew.object_count(); ++row) {
      ASSERT_EQ(index_.TypeOf(row), anew.TypeOf(row));
      const Handle handle = objects.Get<ObjectRow>(row).handle;
      ASSERT_EQ(index_.RowInSlot(handle.index), row);
      for (uint32_t i = 0; i < kComponents; ++i) {
        ASSERT_EQ(index_.ComponentRow(row, i), anew.ComponentRow(row, i));
      }
    }
    for (uint32_t type = 0; type < definition_.types.size(); ++type) {
      const auto rows = index_.RowsOfType(type);
      const auto expected = anew.RowsOfType(type);
      ASSERT_TRUE(std::equal(rows.begin(), rows.end(), expected.begin(),
                             expected.end()));
    }
    for (uint32_t i = 0; i < kNames; ++i) {
      const Id name = IdOf(fmt::format("n{}", i));
      ASSERT_EQ(index_.RowNamed(name), anew.RowNamed(name));
    }
  }

 private:
  WorldDefinition definition_;
  ObjectIndex index_;
  RandomStream random_;
  State state_;
  TableIndex objects_;
  TableIndex slots_;
  std::vector<TableIndex> components_;
  AllocationRow allocation_;
};

TEST(ObjectIndexTest, FollowsWhateverComesAndGoes) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    Model model(seed);
    for (int round = 0; round < 60; ++round) {
      const uint64_t spawns = model.Below(12);
      if (model.Below(3) > 0) model.Destroy(1 + model.Below(40));
      for (uint64_t i = 0; i < spawns; ++i) model.Spawn();
      model.ExpectAsAnew();
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(model.object_count(), 0u);
  }
}

}  // namespace
}  // namespace reprise::sim
