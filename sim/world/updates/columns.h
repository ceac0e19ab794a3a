// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Columns: properties of all objects of a batch at once. Rows are found a page
// at a time, and not for each object and value, so a loop over them costs about
// what one over structs does. What comes of it is, to the bit, what the calls
// of UpdateContext for one value bring about.
//
//   Columns(Writes<int64_t>{hits_}, Reads<double>{speed_}, WritesPlace{})
//       .ForEach(context, [&](uint32_t i, int64_t& hits, double speed,
//                             Transform& place) {
//         place.position.x += speed * context.dt_s();
//         ++hits;
//       });

#ifndef REPRISE_SIM_WORLD_UPDATES_COLUMNS_H_
#define REPRISE_SIM_WORLD_UPDATES_COLUMNS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/table.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/transform.h"
#include "sim/geometry/vector2.h"
#include "sim/geometry/vector3.h"
#include "sim/world/components/component.h"
#include "sim/world/components/property_ref.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {

// The objects' own values of a property: bool, int64_t, double, Id, Vector2,
// Vector3, Quaternion or Handle, whichever the property is of.
template <typename T>
struct Reads {
  PropertyRef property;
};

// The same, and what is changed is written. What the property doesn't allow is
// not, and `property_refused` tells of it.
template <typename T>
struct Writes {
  PropertyRef property;
};

// Where the objects are, as UpdateContext::Place; and for SetPlace, which is
// called for every object, whether its place is changed or not.
struct ReadsPlace {};
struct WritesPlace {};

// Goes through a property of the batch's objects, run by run: rows that lie one
// behind the other in one page.
class PropertyCursor {
 public:
  // REQUIRES: one value of the property takes `value_size` bytes.
  PropertyCursor(UpdateContext& context, const PropertyRef& property,
                 size_t value_size);

  // Finds the run that begins with object i. Returns where it ends.
  uint32_t Seek(uint32_t i);

  // The value of object i of this run, wherever its page is now.
  const std::byte* At(uint32_t i) {
    if (write_count_ != table_.write_count()) [[unlikely]]
      FindPage();
    return first_ + size_t{i - begin_} * row_size_;
  }
  std::byte* MutableAt(uint32_t i) {
    if (mutable_first_ == nullptr) OpenPage();
    return mutable_first_ + size_t{i - begin_} * row_size_;
  }

  bool Allows(double value) const {
    return value >= minimum_ && value <= maximum_;
  }
  bool AllowsChoice(Id value) const;
  void TellRefused(uint32_t i) const;

 private:
  uint32_t RowOf(uint32_t i) const;
  void FindPage();
  void OpenPage();

  UpdateContext& context_;
  Table& table_;
  const PropertyDefinition& definition_;
  uint32_t component_;
  uint32_t offset_;
  uint32_t row_size_;
  double minimum_;  // finite, both
  double maximum_;
  uint32_t begin_ = 0;  // of the run, and the row of its first object
  uint32_t row_ = 0;
  uint64_t write_count_ = 0;            // of the table, when the page was found
  const std::byte* first_ = nullptr;    // the run's first value
  std::byte* mutable_first_ = nullptr;  // once the run is written
};

// The same for places.
class PlaceCursor {
 public:
  explicit PlaceCursor(UpdateContext& context);

  Transform Load(uint32_t i);
  // REQUIRES: the last call was Load(i).
  void Store(uint32_t i, const Transform& place);

 private:
  UpdateContext& context_;
  bool has_body_;
  uint32_t row_ = 0;  // of the last object without a body, among the places
};

// What a column gives to a call, and what it does with what that left.
template <typename Column>
class ColumnCursor;

template <typename T>
class ColumnCursor<Reads<T>> {
 public:
  using Value = T;
  ColumnCursor(UpdateContext& context, const Reads<T>& column)
      : cursor_(context, column.property, sizeof(T)) {
    static_assert(std::is_trivially_copyable_v<T>);
  }

  uint32_t Seek(uint32_t i) { return cursor_.Seek(i); }
  T Load(uint32_t i) {
    T value;
    std::memcpy(&value, cursor_.At(i), sizeof(T));
    return value;
  }
  void Store(uint32_t /*i*/, const T& /*old*/, const T& /*value*/) {}

 protected:
  PropertyCursor cursor_;
};

template <typename T>
class ColumnCursor<Writes<T>> : public ColumnCursor<Reads<T>> {
 public:
  ColumnCursor(UpdateContext& context, const Writes<T>& column)
      : ColumnCursor<Reads<T>>(context, {column.property}) {}

  // A page in which nothing changes keeps its digest.
  void Store(uint32_t i, const T& old, const T& value) {
    if (std::memcmp(&old, &value, sizeof(T)) == 0) return;
    if (!IsAllowed(value)) [[unlikely]] {
      this->cursor_.TellRefused(i);
      return;
    }
    std::memcpy(this->cursor_.MutableAt(i), &value, sizeof(T));
  }

 private:
  bool IsAllowed(bool /*value*/) const { return true; }
  bool IsAllowed(Handle /*value*/) const { return true; }
  bool IsAllowed(Id value) const { return this->cursor_.AllowsChoice(value); }
  bool IsAllowed(double value) const { return this->cursor_.Allows(value); }
  bool IsAllowed(int64_t value) const {
    return this->cursor_.Allows(static_cast<double>(value));
  }
  bool IsAllowed(const Vector2& value) const {
    return IsAllowed(value.x) && IsAllowed(value.y);
  }
  bool IsAllowed(const Vector3& value) const {
    return IsAllowed(value.x) && IsAllowed(value.y) && IsAllowed(value.z);
  }
  bool IsAllowed(const Quaternion& value) const {
    return IsAllowed(value.x) && IsAllowed(value.y) && IsAllowed(value.z) &&
           IsAllowed(value.w) && IsOfLengthOne(value);
  }
};

template <>
class ColumnCursor<ReadsPlace> {
 public:
  using Value = Transform;
  ColumnCursor(UpdateContext& context, const ReadsPlace& /*column*/)
      : cursor_(context) {}

  uint32_t Seek(uint32_t /*i*/) { return ~uint32_t{0}; }
  Transform Load(uint32_t i) { return cursor_.Load(i); }
  void Store(uint32_t /*i*/, const Transform& /*old*/,
             const Transform& /*value*/) {}

 protected:
  PlaceCursor cursor_;
};

template <>
class ColumnCursor<WritesPlace> : public ColumnCursor<ReadsPlace> {
 public:
  ColumnCursor(UpdateContext& context, const WritesPlace& /*column*/)
      : ColumnCursor<ReadsPlace>(context, {}) {}

  void Store(uint32_t i, const Transform& /*old*/, const Transform& value) {
    cursor_.Store(i, value);
  }
};

template <typename... Column>
class Columns {
 public:
  explicit Columns(const Column&... columns) : columns_(columns...) {}

  // Calls update(i, values...) for each object of the batch, in object order,
  // with a value for each column. What it changes of those that are written is
  // written when it returns, in the order of the columns. It may do all that
  // UpdateContext allows; what it writes there of its own object doesn't show
  // in its values.
  // REQUIRES: every object has the components (BehaviourBinder::Property).
  template <typename Update>
  void ForEach(UpdateContext& context, const Update& update) const {
    ForEach(context, update, std::index_sequence_for<Column...>());
  }

 private:
  template <typename Update, size_t... k>
  void ForEach(UpdateContext& context, const Update& update,
               std::index_sequence<k...>) const {
    std::tuple<ColumnCursor<Column>...> cursors(
        ColumnCursor<Column>(context, std::get<k>(columns_))...);
    std::array<uint32_t, sizeof...(Column)> ends = {};
    const uint32_t count = context.object_count();
    for (uint32_t i = 0; i < count;) {
      // A run that has ended gives way to the next one.
      ((ends[k] = ends[k] > i ? ends[k] : std::get<k>(cursors).Seek(i)), ...);
      const uint32_t end = std::min({count, ends[k]...});
      for (; i < end; ++i) {
        const std::tuple<typename ColumnCursor<Column>::Value...> old{
            std::get<k>(cursors).Load(i)...};
        auto values = old;
        update(i, std::get<k>(values)...);
        (std::get<k>(cursors).Store(i, std::get<k>(old), std::get<k>(values)),
         ...);
      }
    }
  }

  std::tuple<Column...> columns_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_UPDATES_COLUMNS_H_
