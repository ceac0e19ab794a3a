// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/updates/property_cursor.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "sim/base/check.h"
#include "sim/base/property_type.h"
#include "sim/state/field_value.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/world_names.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {
namespace {

constexpr double kNumberMax = std::numeric_limits<double>::max();

const PropertyDefinition& DefinitionOf(const UpdateContext& context,
                                       const PropertyRef& property) {
  return context.parts()
      .definition.components[property.component]
      .properties[property.property];
}

}  // namespace

PropertyCursor::PropertyCursor(UpdateContext& context,
                               const PropertyRef& property, size_t value_size)
    : context_(context),
      table_(context.parts().state.mutable_table(
          context.parts().tables.objects.components[property.component])),
      definition_(DefinitionOf(context, property)),
      lane_({.row_size = table_.row_size(),
             .minimum = std::max(definition_.minimum.value_or(-kNumberMax),
                                 -kNumberMax),
             .maximum = std::min(definition_.maximum.value_or(kNumberMax),
                                 kNumberMax)}),
      component_(property.component),
      offset_(property.offset) {
  const PropertyTraits traits = TraitsOf(property.type);
  CHECK(property.capacity == 0, "{} is a list", definition_.name);
  CHECK(value_size == traits.count * ScalarSize(traits.scalar), "{} is a {}",
        definition_.name, traits.name);
  const uint32_t count = context.object_count();
  if (count == 0) return;
  base_ = RowOf(0);
  // Rows ascend, so they have no gap where as many lie between the ends.
  has_gaps_ = RowOf(count - 1) - base_ != count - 1;
}

uint32_t PropertyCursor::RowOf(uint32_t i) const {
  const uint32_t row =
      context_.parts().objects.ComponentRow(context_.rows()[i], component_);
  CHECK(row != kNoRow, "an object without '{}'", table_.schema().name());
  return row;
}

void PropertyCursor::Begin(uint32_t i) {
  if (has_gaps_) base_ = RowOf(i) - i;
  const uint32_t row = base_ + i;
  const uint32_t left = (table_.PageOf(row) + 1) * table_.rows_per_page() - row;
  end_ = i + std::min(left, context_.object_count() - i);
  if (has_gaps_ && RowOf(end_ - 1) != base_ + end_ - 1) {
    end_ = i + 1;
    while (RowOf(end_) == base_ + end_) ++end_;
  }
  lane_.is_open = false;
  GoTo(i);
}

void PropertyCursor::GoTo(uint32_t i) {
  // Nobody writes there before the page is opened.
  lane_.at = const_cast<std::byte*>(table_.Row(base_ + i).data()) + offset_;
  write_count_ = table_.write_count();
}

void PropertyCursor::Open(uint32_t i) {
  lane_.at = table_.MutableRow(base_ + i).data() + offset_;
  lane_.is_open = true;
  write_count_ = table_.write_count();
}

bool PropertyCursor::AllowsChoice(Id value) const {
  return definition_.type != PropertyType::kEnum ||
         std::ranges::find(definition_.choices, value) !=
             definition_.choices.end();
}

void PropertyCursor::TellRefused(uint32_t i) const {
  context_.Tell(i, kPropertyRefused,
                {{kProperty, FieldValue::OfId(IdOf(definition_.name))}});
}

PlaceCursor::PlaceCursor(UpdateContext& context)
    : context_(context), has_body_(false) {
  if (context.object_count() == 0) return;
  const WorldParts& parts = context.parts();
  has_body_ = parts.definition.types[parts.objects.TypeOf(context.rows()[0])]
                  .body_kind.has_value();
}

Transform PlaceCursor::Load(uint32_t i) {
  if (has_body_) return context_.Place(i);
  const WorldParts& parts = context_.parts();
  const Table& places = parts.state.table(parts.tables.objects.places);
  const ObjectId object = context_.object(i);
  // Most often the next one; both tables are in object order.
  if (row_ + 1 < places.row_count() &&
      places.Get<PlaceRow>(row_ + 1).object == object) {
    ++row_;
  } else {
    row_ = places.LowerBound(std::array{object.serial});
  }
  const auto& place = places.Get<PlaceRow>(row_);
  CHECK(place.object == object, "object {} stands nowhere", object.serial);
  return {.position = place.position, .rotation = place.rotation};
}

void PlaceCursor::Store(uint32_t i, const Transform& place) {
  if (has_body_) {
    context_.SetPlace(i, place);
    return;
  }
  if (!IsPlace(place)) return;
  const WorldParts& parts = context_.parts();
  Table& places = parts.state.mutable_table(parts.tables.objects.places);
  const auto& old = places.Get<PlaceRow>(row_);
  if (old.position == place.position && old.rotation == place.rotation) return;
  places.Mutable<PlaceRow>(row_) = {old.object, place.position, place.rotation};
}

}  // namespace reprise::sim
