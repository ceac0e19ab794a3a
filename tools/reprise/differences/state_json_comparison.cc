// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/differences/state_json_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "fmt/format.h"
#include "sim/state/field_value.h"
#include "sim/state/state_comparison.h"

namespace reprise::tools {
namespace {

absl::Status NotSuchJson() {
  return absl::InvalidArgumentError(
      "a build's answer isn't what `reprise inspect` prints");
}

std::string TextAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>()
                                                   : "";
}

std::optional<std::string> OptionalTextAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

bool IsTrue(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

const Json& ListAt(const Json& json, const char* key) {
  static const Json* const empty = new Json(Json::array());
  const auto found = json.find(key);
  return found != json.end() && found->is_array() ? *found : *empty;
}

// Where a value stands, and what is known of its kind.
struct Place {
  std::string room;
  std::string table;
  std::string object;
  std::string field;

  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Kind {
  bool is_object = false;
  bool is_double = false;
  std::string unit;
};

replays::FieldDivergence Describe(const Place& place, const Kind& kind,
                                  const std::optional<std::string>& expected,
                                  const std::optional<std::string>& actual) {
  replays::FieldDivergence field;
  field.room = place.room;
  field.table = place.table;
  field.object = place.object;
  field.is_object = kind.is_object;
  field.field = place.field;
  field.unit = kind.unit;
  field.expected = expected.value_or("missing");
  field.actual = actual.value_or("missing");
  double left = 0.0;
  double right = 0.0;
  if (kind.is_double && absl::SimpleAtod(field.expected, &left) &&
      absl::SimpleAtod(field.actual, &right)) {
    field.ulps = sim::UlpDistance(sim::FieldValue::OfDouble(left),
                                  sim::FieldValue::OfDouble(right));
  }
  field.text = fmt::format("{}.{} {}{}{}: {}", place.room, place.table,
                           place.object, place.field.empty() ? "" : " ",
                           place.field, replays::FormatValues(field));
  return field;
}

// The fields that one side's tick has changed so far.
struct ChangedField {
  Kind kind;
  std::optional<std::string> before;
  std::optional<std::string> after;
  std::string writer;
};

class SideChanges {
 public:
  void Take(const Json& phase) {
    for (const Json& change : ListAt(phase, "changes")) {
      const Place place = {TextAt(change, "room"), TextAt(change, "table"),
                           TextAt(change, "object"), TextAt(change, "field")};
      const auto [found, is_new] = fields_.try_emplace(place);
      ChangedField& field = found->second;
      if (is_new) {
        order_.push_back(place);
        field.kind = {IsTrue(change, "is_object"), IsTrue(change, "is_double"),
                      TextAt(change, "unit")};
        field.before = OptionalTextAt(change, "before");
      }
      field.after = OptionalTextAt(change, "after");
      field.writer = TextAt(change, "writer");
    }
  }

  const std::vector<Place>& order() const { return order_; }
  const ChangedField* Find(const Place& place) const {
    const auto found = fields_.find(place);
    return found == fields_.end() ? nullptr : &found->second;
  }

 private:
  std::map<Place, ChangedField> fields_;
  std::vector<Place> order_;
};

void Add(replays::FieldDivergence field, size_t fields_max,
         StateJsonComparison& comparison) {
  if (comparison.fields.size() == fields_max) {
    comparison.has_more_fields = true;
  } else {
    comparison.fields.push_back(std::move(field));
  }
}

// What differs after the phases that both sides took.
void CompareSides(const SideChanges& expected, const SideChanges& actual,
                  size_t fields_max, StateJsonComparison& comparison) {
  std::set<Place> seen;
  for (const SideChanges* const side : {&expected, &actual}) {
    for (const Place& place : side->order()) {
      if (!seen.insert(place).second) continue;
      const ChangedField* const left = expected.Find(place);
      const ChangedField* const right = actual.Find(place);
      // Who hasn't changed it has what the other one found.
      const auto& left_value = left != nullptr ? left->after : right->before;
      const auto& right_value = right != nullptr ? right->after : left->before;
      if (left_value == right_value) continue;
      const Kind& kind = left != nullptr ? left->kind : right->kind;
      replays::FieldDivergence field =
          Describe(place, kind, left_value, right_value);
      if (left != nullptr) field.expected_writer = left->writer;
      if (right != nullptr) field.actual_writer = right->writer;
      Add(std::move(field), fields_max, comparison);
    }
  }
}

// A state as a list of values, in its own order.
class FlatState {
 public:
  struct Value {
    Json json;
    std::string unit;
  };

  explicit FlatState(const Json& rooms) {
    for (const Json& room : rooms) {
      for (const Json& table : ListAt(room, "tables")) {
        TakeTable(TextAt(room, "room"), table);
      }
    }
  }

  const std::vector<Place>& order() const { return order_; }
  const Value* Find(const Place& place) const {
    const auto found = values_.find(place);
    return found == values_.end() ? nullptr : &found->second;
  }
  // The tables, and the fields of those that have rows: places without objects.
  const std::set<Place>& names() const { return names_; }
  bool HasRows(const Place& table) const {
    return tables_with_rows_.contains(table);
  }
  // The objects that each row's key names, by a place without a field.
  const std::map<Place, std::vector<std::string>>& rows() const {
    return rows_;
  }

 private:
  void TakeTable(const std::string& room, const Json& table) {
    const std::string name = TextAt(table, "table");
    names_.insert({room, name, "", ""});
    const auto found_units = table.find("units");
    const Json units = found_units != table.end() ? *found_units : Json();
    for (const Json& row : ListAt(table, "rows")) {
      const Place place = TakeKey({room, name, "", ""}, table, row);
      tables_with_rows_.insert({room, name, "", ""});
      const auto fields = row.find("fields");
      if (fields == row.end() || !fields->is_object()) continue;
      for (const auto& [field, value] : fields->items()) {
        names_.insert({room, name, "", field});
        Place within = place;
        within.field = field;
        TakeValue(within, value, TextAt(units, field.c_str()));
      }
    }
  }

  Place TakeKey(Place place, const Json& table, const Json& row) {
    const Json& is_object = ListAt(table, "is_object_key");
    const Json& key = ListAt(row, "key");
    std::vector<std::string> objects;
    for (size_t i = 0; i < key.size(); ++i) {
      const std::string part =
          key[i].is_string() ? key[i].get<std::string>() : key[i].dump();
      place.object += (place.object.empty() ? "" : " ") + part;
      if (i < is_object.size() && is_object[i] == true) objects.push_back(part);
    }
    rows_.try_emplace(place, std::move(objects));
    return place;
  }

  void TakeValue(const Place& place, const Json& value,
                 const std::string& unit) {
    if (!value.is_structured()) {
      values_.try_emplace(place, Value{value, unit});
      order_.push_back(place);
      return;
    }
    const bool is_list = value.is_array();
    for (const auto& [part, inner] : value.items()) {
      Place within = place;
      within.field +=
          is_list ? fmt::format("[{}]", part) : fmt::format(".{}", part);
      TakeValue(within, inner, unit);
    }
  }

  std::map<Place, Value> values_;
  std::vector<Place> order_;
  std::set<Place> names_;
  std::set<Place> tables_with_rows_;
  std::map<Place, std::vector<std::string>> rows_;
};

// The table's field that a value of a row, "velocity.y", is of.
Place NameOf(const Place& place) {
  return {place.room, place.table, "",
          place.field.substr(0, place.field.find_first_of(".["))};
}

// Whether a state has no such table or field; of a field of a table without
// rows nobody knows.
bool IsNameMissing(const Place& name, const FlatState& state) {
  const Place table = {name.room, name.table, "", ""};
  if (!state.names().contains(table)) return true;
  return state.HasRows(table) && !state.names().contains(name);
}

// What only `state` has, as `kind`: tables, and fields of tables of both.
void AddNamesMissing(const FlatState& state, const FlatState& other,
                     replays::SchemaDifference::Kind kind,
                     StateJsonComparison& comparison) {
  for (const Place& name : state.names()) {
    const bool is_of_a_missing_table =
        !name.field.empty() &&
        !other.names().contains({name.room, name.table, "", ""});
    if (is_of_a_missing_table || !IsNameMissing(name, other)) continue;
    comparison.schema_differences.push_back({.kind = kind,
                                             .room = name.room,
                                             .table = name.table,
                                             .field = name.field,
                                             .expected = "",
                                             .actual = ""});
  }
}

// Whether only one side has some field of the table that `place` is in.
bool HasOtherFields(const Place& place, const StateJsonComparison& comparison) {
  return std::ranges::any_of(
      comparison.schema_differences,
      [&place](const replays::SchemaDifference& difference) {
        return difference.room == place.room && difference.table == place.table;
      });
}

std::optional<std::string> TextOf(const FlatState::Value* value) {
  if (value == nullptr) return std::nullopt;
  return value->json.is_string() ? value->json.get<std::string>()
                                 : value->json.dump();
}

bool IsDouble(const FlatState::Value* value) {
  return value != nullptr && value->json.is_number_float();
}

// Takes over how far one double, at `place`, is from the other.
void TakeDoubles(const Place& place, const FlatState::Value& expected,
                 const FlatState::Value& actual,
                 replays::StateDistance& distance) {
  double left = 0.0;
  double right = 0.0;
  // Infinity and the like are strings.
  if (!absl::SimpleAtod(*TextOf(&expected), &left) ||
      !absl::SimpleAtod(*TextOf(&actual), &right)) {
    return;
  }
  const std::string at =
      fmt::format("{}.{} {}{}{}", place.room, place.table, place.object,
                  place.object.empty() ? "" : " ", place.field);
  const double difference = std::abs(left - right);
  const double size = std::isfinite(difference)
                          ? difference
                          : std::numeric_limits<double>::max();
  if (distance.largest_difference_at.empty() ||
      size > distance.largest_difference) {
    distance.largest_difference = size;
    distance.largest_difference_at = at;
    distance.unit = expected.unit;
  }
  if (!sim::CountsInUlps(left, right)) return;
  const uint64_t ulps = sim::UlpDistance(sim::FieldValue::OfDouble(left),
                                         sim::FieldValue::OfDouble(right));
  if (distance.most_ulps_at.empty() || ulps > distance.most_ulps) {
    distance.most_ulps = ulps;
    distance.most_ulps_at = at;
  }
}

}  // namespace

absl::StatusOr<StateJsonComparison> CompareChanges(const Json& expected,
                                                   const Json& actual,
                                                   size_t fields_max) {
  if (!expected.is_array() || !actual.is_array()) return NotSuchJson();
  StateJsonComparison comparison;
  SideChanges left;
  SideChanges right;
  for (size_t i = 0; i < expected.size() && i < actual.size(); ++i) {
    left.Take(expected[i]);
    right.Take(actual[i]);
    if (TextAt(expected[i], "digest") == TextAt(actual[i], "digest")) continue;
    comparison.phase = TextAt(expected[i], "phase");
    break;
  }
  CompareSides(left, right, fields_max, comparison);
  return comparison;
}

absl::StatusOr<StateJsonComparison> CompareStateTrees(const Json& expected,
                                                      const Json& actual,
                                                      size_t fields_max) {
  if (!expected.is_array() || !actual.is_array()) return NotSuchJson();
  const FlatState left(expected);
  const FlatState right(actual);
  StateJsonComparison comparison;
  AddNamesMissing(left, right, replays::SchemaDifference::Kind::kRemoved,
                  comparison);
  AddNamesMissing(right, left, replays::SchemaDifference::Kind::kAdded,
                  comparison);
  std::set<Place> seen;
  for (const FlatState* const side : {&left, &right}) {
    for (const Place& place : side->order()) {
      if (!seen.insert(place).second) continue;
      const Place name = NameOf(place);
      if (IsNameMissing(name, left) || IsNameMissing(name, right)) continue;
      if (HasOtherFields(place, comparison) &&
          replays::DependsOnSchema(name.room, name.field)) {
        continue;
      }
      const FlatState::Value* const a = left.Find(place);
      const FlatState::Value* const b = right.Find(place);
      // By text, which tells -0 from 0.
      if (TextOf(a) == TextOf(b)) continue;
      const Kind kind = {.is_object = false,
                         .is_double = IsDouble(a) || IsDouble(b),
                         .unit = (a != nullptr ? a : b)->unit};
      Add(Describe(place, kind, TextOf(a), TextOf(b)), fields_max, comparison);
    }
  }
  return comparison;
}

absl::StatusOr<replays::StateDistance> MeasureStateTrees(const Json& expected,
                                                         const Json& actual) {
  if (!expected.is_array() || !actual.is_array()) return NotSuchJson();
  const FlatState left(expected);
  const FlatState right(actual);
  replays::StateDistance distance;
  std::set<std::string> objects;
  for (const auto& [side, other] :
       {std::pair(&left, &right), std::pair(&right, &left)}) {
    for (const auto& [row, names] : side->rows()) {
      const bool is_shared_table =
          other->names().contains({row.room, row.table, "", ""});
      if (!is_shared_table || other->rows().contains(row)) continue;
      ++distance.row_count;
      objects.insert(names.begin(), names.end());
    }
  }
  for (const Place& place : left.order()) {
    const FlatState::Value* const a = left.Find(place);
    const FlatState::Value* const b = right.Find(place);
    if (b == nullptr || TextOf(a) == TextOf(b)) continue;
    ++distance.field_count;
    const std::vector<std::string>& names =
        left.rows().at({place.room, place.table, place.object, ""});
    objects.insert(names.begin(), names.end());
    if (IsDouble(a) || IsDouble(b)) TakeDoubles(place, *a, *b, distance);
  }
  distance.object_count = objects.size();
  return distance;
}

}  // namespace reprise::tools
