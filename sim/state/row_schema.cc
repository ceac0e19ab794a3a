// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/state/row_schema.h"

#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kAxisNames = "xyzw";

Digest FingerprintOf(const std::string& name, uint32_t key_field_count,
                     std::span<const Field> fields) {
  std::string text = fmt::format("{} {}\n", name, key_field_count);
  for (const Field& field : fields) {
    text += fmt::format("{} [{}] {} {} {}\n", field.name, field.unit,
                        static_cast<int>(field.scalar),
                        static_cast<int>(field.shape), field.count);
  }
  return DigestOf(std::as_bytes(std::span(text)));
}

}  // namespace

std::string Field::ScalarName(uint32_t index) const {
  CHECK(index < count, "scalar {} of {} in {}", index, count, name);
  switch (shape) {
    case FieldShape::kScalar:
      return name;
    case FieldShape::kArray:
      return fmt::format("{}[{}]", name, index);
    case FieldShape::kVector2:
    case FieldShape::kVector3:
    case FieldShape::kQuaternion:
      return fmt::format("{}.{}", name, kAxisNames[index]);
    case FieldShape::kMatrix3:
      return fmt::format("{}.{}{}", name, kAxisNames[index / 3],
                         kAxisNames[index % 3]);
  }
  return name;
}

RowSchema::RowSchema(std::string name, uint32_t key_field_count,
                     std::vector<Field> fields)
    : name_(std::move(name)),
      key_field_count_(key_field_count),
      fields_(std::move(fields)) {
  CHECK(key_field_count_ <= fields_.size());
  for (const Field& field : fields_) {
    CHECK(field.offset == row_size_, "gap before {}.{}", name_, field.name);
    row_size_ += field.count * ScalarSize(field.scalar);
  }
  CHECK(row_size_ > 0, "{} has no fields", name_);
  fingerprint_ = FingerprintOf(name_, key_field_count_, fields_);
}

std::optional<ScalarPath> RowSchema::Find(std::string_view scalar_name) const {
  for (uint32_t field = 0; field < fields_.size(); ++field) {
    if (!scalar_name.starts_with(fields_[field].name)) continue;
    for (uint32_t index = 0; index < fields_[field].count; ++index) {
      if (fields_[field].ScalarName(index) == scalar_name) {
        return ScalarPath{.field = field, .index = index};
      }
    }
  }
  return std::nullopt;
}

std::vector<Field> FieldsOf(std::span<const FieldDescription> descriptions) {
  std::vector<Field> fields;
  fields.reserve(descriptions.size());
  for (const FieldDescription& description : descriptions) {
    fields.push_back(Field{.name = std::string(description.name),
                           .unit = std::string(description.unit),
                           .scalar = description.scalar,
                           .shape = description.shape,
                           .count = description.count,
                           .offset = description.offset});
  }
  return fields;
}

}  // namespace reprise::sim
