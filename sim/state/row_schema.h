// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The description of a table's rows as the program sees it at run time. Rows of
// C++ structs and rows that a pack declares have the same kind of schema, and
// whatever reads, compares or prints state works from it alone.

#ifndef REPRISE_SIM_STATE_ROW_SCHEMA_H_
#define REPRISE_SIM_STATE_ROW_SCHEMA_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/digest.h"
#include "sim/base/field.h"

namespace reprise::sim {

// A member of a row. Its scalars lie one after another from `offset` on.
struct Field {
  std::string name;
  std::string unit;
  ScalarType scalar;
  FieldShape shape;
  uint32_t count;
  uint32_t offset;

  // The name of scalar `index` within a row: "velocity.y", "axes[3]", "mass".
  // REQUIRES: index < count.
  std::string ScalarName(uint32_t index) const;
};

// One scalar of a row: field `field`, scalar `index` of it.
struct ScalarPath {
  uint32_t field = 0;
  uint32_t index = 0;

  friend bool operator==(const ScalarPath&, const ScalarPath&) = default;
};

class RowSchema {
 public:
  // REQUIRES: fields tile the row without gaps; the first `key_field_count`
  // fields identify a row, and rows are kept in ascending order of them (0: a
  // table of one row, or of rows known by position).
  RowSchema(std::string name, uint32_t key_field_count,
            std::vector<Field> fields);

  // The schema of a described struct, built on first use.
  template <typename Row>
  static std::shared_ptr<const RowSchema> Of();

  const std::string& name() const { return name_; }
  uint32_t key_field_count() const { return key_field_count_; }
  std::span<const Field> fields() const { return fields_; }
  uint32_t row_size() const { return row_size_; }

  // Changes whenever a name, type, order or key of the schema does.
  Digest fingerprint() const { return fingerprint_; }

  // Finds "velocity.y" or "mass"; nullopt where the row has no such scalar.
  std::optional<ScalarPath> Find(std::string_view scalar_name) const;

 private:
  std::string name_;
  uint32_t key_field_count_;
  std::vector<Field> fields_;
  uint32_t row_size_ = 0;
  Digest fingerprint_;
};

// Turns the descriptions of a struct into fields that own their names.
std::vector<Field> FieldsOf(std::span<const FieldDescription> descriptions);

template <typename Row>
std::shared_ptr<const RowSchema> RowSchema::Of() {
  static_assert(DescribesEveryByte<Row>(),
                "Describe() has to name every member, in order, and the struct "
                "has to be free of padding");
  static const std::shared_ptr<const RowSchema> schema =
      std::make_shared<const RowSchema>(
          std::string(Row::kTable), Row::kKeyFields, FieldsOf(Row::Describe()));
  return schema;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_STATE_ROW_SCHEMA_H_
