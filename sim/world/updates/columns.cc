// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/updates/columns.h"

#include <algorithm>
#include <array>
#include <limits>

#include "sim/base/check.h"
#include "sim/base/field_value.h"
#include "sim/base/property_type.h"
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
      component_(property.component),
      offset_(property.offset),
      minimum_(
          std::max(definition_.minimum.value_or(-kNumberMax), -kNumberMax)),
      maximum_(std::min(definition_.maximum.value_or(kNumberMax), kNumberMax)) {
  const PropertyTraits traits = TraitsOf(property.type);
  CHECK(property.capacity == 0, "{} is a list", definition_.name);
  CHECK(value_size == traits.count * ScalarSize(traits.scalar), "{} is a {}",
        definition_.name, traits.name);
}

uint32_t PropertyCursor::RowOf(uint32_t i) const {
  return context_.parts().objects.ComponentRow(context_.rows()[i], component_);
}

PropertyRun PropertyCursor::RunFrom(uint32_t i) const {
  const uint32_t row = RowOf(i);
  CHECK(row != kNoRow, "an object without '{}'", table_.schema().name());
  // Rows ascend, so they have no gap where as many lie between the ends.
  const uint32_t left = table_.rows_per_page() - row % table_.rows_per_page();
  uint32_t end = i + std::min(left, context_.object_count() - i);
  if (RowOf(end - 1) - row != end - 1 - i) {
    end = i + 1;
    while (RowOf(end) - row == end - i) ++end;
  }
  return Refreshed({.row_size = table_.row_size(),
                    .table = &table_,
                    .minimum = minimum_,
                    .maximum = maximum_,
                    .end = end},
                   i);
}

PropertyRun PropertyCursor::Refreshed(PropertyRun run, uint32_t i) const {
  // Nobody writes there before the run is opened.
  run.at = const_cast<std::byte*>(table_.Row(RowOf(i)).data()) + offset_;
  run.write_count = table_.write_count();
  return run;
}

PropertyRun PropertyCursor::Opened(PropertyRun run, uint32_t i) const {
  table_.MutableRow(RowOf(i));
  run.is_open = true;
  return Refreshed(run, i);
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
