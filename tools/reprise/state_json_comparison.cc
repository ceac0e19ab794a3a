// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/state_json_comparison.h"

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "fmt/format.h"
#include "sim/base/field_value.h"

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
  explicit FlatState(const Json& rooms) {
    for (const Json& room : rooms) {
      for (const Json& table : ListAt(room, "tables")) {
        TakeTable(TextAt(room, "room"), table);
      }
    }
  }

  const std::vector<Place>& order() const { return order_; }
  const Json* Find(const Place& place) const {
    const auto found = values_.find(place);
    return found == values_.end() ? nullptr : &found->second;
  }
  // "room.table", and "room.table field" of each.
  const std::set<std::string>& names() const { return names_; }

 private:
  void TakeTable(const std::string& room, const Json& table) {
    const std::string name = TextAt(table, "table");
    names_.insert(fmt::format("{}.{}", room, name));
    for (const Json& row : ListAt(table, "rows")) {
      std::string key;
      for (const Json& part : ListAt(row, "key")) {
        key += (key.empty() ? "" : " ") +
               (part.is_string() ? part.get<std::string>() : part.dump());
      }
      const auto fields = row.find("fields");
      if (fields == row.end() || !fields->is_object()) continue;
      for (const auto& [field, value] : fields->items()) {
        names_.insert(fmt::format("{}.{} {}", room, name, field));
        TakeValue({room, name, key, field}, value);
      }
    }
  }

  void TakeValue(const Place& place, const Json& value) {
    if (!value.is_structured()) {
      values_.try_emplace(place, value);
      order_.push_back(place);
      return;
    }
    const bool is_list = value.is_array();
    for (const auto& [part, inner] : value.items()) {
      Place within = place;
      within.field +=
          is_list ? fmt::format("[{}]", part) : fmt::format(".{}", part);
      TakeValue(within, inner);
    }
  }

  std::map<Place, Json> values_;
  std::vector<Place> order_;
  std::set<std::string> names_;
};

std::optional<std::string> TextOf(const Json* value) {
  if (value == nullptr) return std::nullopt;
  return value->is_string() ? value->get<std::string>() : value->dump();
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
  for (const std::string& name : left.names()) {
    if (!right.names().contains(name)) {
      comparison.schema_remarks.push_back(name + ": only in A");
    }
  }
  for (const std::string& name : right.names()) {
    if (!left.names().contains(name)) {
      comparison.schema_remarks.push_back(name + ": only in B");
    }
  }
  std::set<Place> seen;
  for (const FlatState* const side : {&left, &right}) {
    for (const Place& place : side->order()) {
      if (!seen.insert(place).second) continue;
      const Json* const a = left.Find(place);
      const Json* const b = right.Find(place);
      // By text, which tells -0 from 0.
      if (TextOf(a) == TextOf(b)) continue;
      const bool is_double = a != nullptr && a->is_number_float();
      Add(Describe(place, {.is_double = is_double, .unit = ""}, TextOf(a),
                   TextOf(b)),
          fields_max, comparison);
    }
  }
  return comparison;
}

}  // namespace reprise::tools
