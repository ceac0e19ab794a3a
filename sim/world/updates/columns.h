// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Columns: properties of all objects of a batch at once. Rows are found a page
// at a time, and not for each object and value, so a loop over them costs about
// what one over structs does. What comes of it is, to the bit, what the calls
// of UpdateContext for one value bring about.
//
//   Columns(Writes<int64_t>{hits_}, Reads<double>{speed_}, WritesPlace{})
//       .ForEach(context,
//                [&](int64_t& hits, double speed, Transform& place) {
//                  place.position.x += speed * dt_s;
//                  ++hits;
//                });

#ifndef REPRISE_SIM_WORLD_UPDATES_COLUMNS_H_
#define REPRISE_SIM_WORLD_UPDATES_COLUMNS_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/transform.h"
#include "sim/geometry/vector2.h"
#include "sim/geometry/vector3.h"
#include "sim/world/components/property_ref.h"
#include "sim/world/updates/property_cursor.h"
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

// What a column gives to a call, and what it does with what that left.
template <typename Column>
class ColumnCursor;

template <typename T>
class ColumnCursor<Reads<T>> {
 public:
  using Value = T;
  using Lane = PropertyLane;
  ColumnCursor(UpdateContext& context, const Reads<T>& column)
      : cursor_(context, column.property, sizeof(T)) {
    static_assert(std::is_trivially_copyable_v<T>);
  }

  void Begin(uint32_t i) { cursor_.Begin(i); }
  void GoTo(uint32_t i) { cursor_.GoTo(i); }
  uint32_t end() const { return cursor_.end(); }
  bool is_stale() const { return cursor_.is_stale(); }
  Lane lane() const { return cursor_.lane(); }
  void Refresh(uint32_t i, Lane& lane) {
    if (!cursor_.is_stale()) return;
    cursor_.GoTo(i);
    lane = cursor_.lane();
  }
  static void Next(Lane& lane) { lane.at += lane.row_size; }

  T Load(uint32_t /*i*/, const Lane& lane) const {
    T value;
    std::memcpy(&value, lane.at, sizeof(T));
    return value;
  }
  bool Store(uint32_t /*i*/, const T& /*old*/, const T& /*value*/,
             Lane& /*lane*/) const {
    return false;
  }

 protected:
  PropertyCursor cursor_;
};

template <typename T>
class ColumnCursor<Writes<T>> : public ColumnCursor<Reads<T>> {
 public:
  using Lane = PropertyLane;
  ColumnCursor(UpdateContext& context, const Writes<T>& column)
      : ColumnCursor<Reads<T>>(context, {column.property}) {}

  // Returns whether a page was opened: it may have moved. One in which nothing
  // changes keeps its digest.
  bool Store(uint32_t i, const T& old, const T& value, Lane& lane) {
    const bool was_open = lane.is_open;
    if (!was_open && SameBits(old, value)) [[unlikely]]
      return false;
    if (!IsAllowed(value, lane)) [[unlikely]] {
      // What isn't allowed may have stood there, and stays.
      if (!SameBits(old, value)) this->cursor_.TellRefused(i);
      return false;
    }
    if (!was_open) [[unlikely]] {
      this->cursor_.Open(i);
      lane = this->cursor_.lane();
    }
    std::memcpy(lane.at, &value, sizeof(T));
    return !was_open;
  }

 private:
  static bool SameBits(const T& a, const T& b) {
    if constexpr (sizeof(T) == sizeof(uint64_t)) {
      return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
    } else {
      return std::memcmp(&a, &b, sizeof(T)) == 0;
    }
  }

  bool IsAllowed(bool /*value*/, const Lane& /*lane*/) const { return true; }
  bool IsAllowed(Handle /*value*/, const Lane& /*lane*/) const { return true; }
  bool IsAllowed(Id value, const Lane& /*lane*/) const {
    return this->cursor_.AllowsChoice(value);
  }
  bool IsAllowed(double value, const Lane& lane) const {
    return lane.Allows(value);
  }
  bool IsAllowed(int64_t value, const Lane& lane) const {
    return lane.Allows(static_cast<double>(value));
  }
  bool IsAllowed(const Vector2& value, const Lane& lane) const {
    return lane.Allows(value.x) && lane.Allows(value.y);
  }
  bool IsAllowed(const Vector3& value, const Lane& lane) const {
    return lane.Allows(value.x) && lane.Allows(value.y) && lane.Allows(value.z);
  }
  bool IsAllowed(const Quaternion& value, const Lane& lane) const {
    return lane.Allows(value.x) && lane.Allows(value.y) &&
           lane.Allows(value.z) && lane.Allows(value.w) && IsOfLengthOne(value);
  }
};

// Places have no lanes; all objects make one run.
struct PlaceLane {};

template <>
class ColumnCursor<ReadsPlace> {
 public:
  using Value = Transform;
  using Lane = PlaceLane;
  ColumnCursor(UpdateContext& context, const ReadsPlace& /*column*/)
      : cursor_(context) {}

  void Begin(uint32_t /*i*/) {}
  void GoTo(uint32_t /*i*/) {}
  uint32_t end() const { return ~uint32_t{0}; }
  bool is_stale() const { return false; }
  Lane lane() const { return {}; }
  void Refresh(uint32_t /*i*/, Lane& /*lane*/) {}
  static void Next(Lane& /*lane*/) {}
  Transform Load(uint32_t i, const Lane& /*lane*/) { return cursor_.Load(i); }
  bool Store(uint32_t /*i*/, const Transform& /*old*/,
             const Transform& /*value*/, Lane& /*lane*/) {
    return false;
  }

 protected:
  PlaceCursor cursor_;
};

template <>
class ColumnCursor<WritesPlace> : public ColumnCursor<ReadsPlace> {
 public:
  ColumnCursor(UpdateContext& context, const WritesPlace& /*column*/)
      : ColumnCursor<ReadsPlace>(context, {}) {}

  bool Store(uint32_t i, const Transform& /*old*/, const Transform& value,
             Lane& /*lane*/) {
    cursor_.Store(i, value);
    return false;
  }
};

template <typename... Column>
class Columns {
 public:
  explicit Columns(const Column&... columns) : columns_(columns...) {}

  // Calls update(values...), or update(i, values...), for each object of the
  // batch, in object order, with a value for each column. What it changes of
  // those that are written is written when it returns, in the order of the
  // columns. Without `i` it is faster, and REQUIRES: it writes nothing but its
  // values. With it, it may do all that UpdateContext allows; what it writes
  // there of its own object doesn't show in its values.
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
    const uint32_t count = context.object_count();
    if (count == 0) return;
    (std::get<k>(cursors).Begin(0), ...);
    for (uint32_t i = 0;;) {
      const uint32_t end = std::min({count, std::get<k>(cursors).end()...});
      ForEachOf(i, end, update, cursors, std::index_sequence<k...>());
      if (end == count) return;
      i = end;
      // A run that has ended gives way to the next one.
      ((std::get<k>(cursors).end() == i ? std::get<k>(cursors).Begin(i)
                                        : std::get<k>(cursors).GoTo(i)),
       ...);
    }
  }

  // The same for the objects from `i` up to `end`, of one run in each column.
  template <typename Update, typename Cursors, size_t... k>
  static void ForEachOf(uint32_t i, uint32_t end, const Update& update,
                        Cursors& cursors, std::index_sequence<k...>) {
    // Nothing but this loop knows of these, so they need not be read again
    // behind every write to a page.
    std::tuple<typename ColumnCursor<Column>::Lane...> lanes{
        std::get<k>(cursors).lane()...};
    constexpr bool kIsPlain =
        std::is_invocable_v<Update, typename ColumnCursor<Column>::Value&...>;
    for (; i < end; ++i) {
      if constexpr (!kIsPlain) {
        (std::get<k>(cursors).Refresh(i, std::get<k>(lanes)), ...);
      }
      const std::tuple<typename ColumnCursor<Column>::Value...> old{
          std::get<k>(cursors).Load(i, std::get<k>(lanes))...};
      auto values = old;
      if constexpr (kIsPlain) {
        update(std::get<k>(values)...);
      } else {
        update(i, std::get<k>(values)...);
      }
      bool has_opened = false;
      ((has_opened |= std::get<k>(cursors).Store(
            i, std::get<k>(old), std::get<k>(values), std::get<k>(lanes))),
       ...);
      // Other columns of the same component, too, have moved.
      if (has_opened) [[unlikely]]
        (std::get<k>(cursors).Refresh(i, std::get<k>(lanes)), ...);
      (ColumnCursor<Column>::Next(std::get<k>(lanes)), ...);
    }
    if constexpr (kIsPlain) {
      const bool is_stale = (... || std::get<k>(cursors).is_stale());
      CHECK(!is_stale, "a function without an index has written a component");
    }
  }

  std::tuple<Column...> columns_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_UPDATES_COLUMNS_H_
