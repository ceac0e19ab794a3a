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

// Some objects of a batch whose values of a property lie one behind the other
// in one page. Small and passed by value, so that a loop has it in registers.
struct PropertyRun {
  std::byte* at = nullptr;  // the next object's value
  size_t row_size = 0;
  // Of the table: by another one, the page has moved.
  uint64_t write_count = 0;
  const Table* table = nullptr;
  double minimum = 0.0;  // what the property allows: finite, both
  double maximum = 0.0;
  uint32_t end = 0;      // one behind the last object
  bool is_open = false;  // its page may be written

  bool Allows(double value) const {
    return value >= minimum && value <= maximum;
  }
};

// Finds the runs of a property, and opens their pages.
class PropertyCursor {
 public:
  // REQUIRES: one value of the property takes `value_size` bytes.
  PropertyCursor(UpdateContext& context, const PropertyRef& property,
                 size_t value_size);

  // The run that begins with object i.
  PropertyRun RunFrom(uint32_t i) const;
  // The same run from object i on, where its page is now; and to be written.
  PropertyRun Refreshed(PropertyRun run, uint32_t i) const;
  PropertyRun Opened(PropertyRun run, uint32_t i) const;

  bool AllowsChoice(Id value) const;
  void TellRefused(uint32_t i) const;

 private:
  uint32_t RowOf(uint32_t i) const;

  UpdateContext& context_;
  Table& table_;
  const PropertyDefinition& definition_;
  uint32_t component_;
  uint32_t offset_;
  double minimum_;
  double maximum_;
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
  using Run = PropertyRun;
  ColumnCursor(UpdateContext& context, const Reads<T>& column)
      : cursor_(context, column.property, sizeof(T)) {
    static_assert(std::is_trivially_copyable_v<T>);
  }

  Run RunFrom(uint32_t i) const { return cursor_.RunFrom(i); }
  Run Refreshed(const Run& run, uint32_t i) const {
    return cursor_.Refreshed(run, i);
  }
  static bool IsStale(const Run& run) {
    return run.write_count != run.table->write_count();
  }
  static void Next(Run& run) { run.at += run.row_size; }

  T Load(uint32_t /*i*/, const Run& run) const {
    T value;
    std::memcpy(&value, run.at, sizeof(T));
    return value;
  }
  bool Store(uint32_t /*i*/, const T& /*old*/, const T& /*value*/,
             Run& /*run*/) const {
    return false;
  }

 protected:
  PropertyCursor cursor_;
};

template <typename T>
class ColumnCursor<Writes<T>> : public ColumnCursor<Reads<T>> {
 public:
  using Run = PropertyRun;
  ColumnCursor(UpdateContext& context, const Writes<T>& column)
      : ColumnCursor<Reads<T>>(context, {column.property}) {}

  // Returns whether a page was opened: it may have moved. One in which nothing
  // changes keeps its digest.
  bool Store(uint32_t i, const T& old, const T& value, Run& run) const {
    if (SameBits(old, value)) return false;
    if (!IsAllowed(value, run)) [[unlikely]] {
      this->cursor_.TellRefused(i);
      return false;
    }
    const bool was_open = run.is_open;
    if (!was_open) [[unlikely]]
      run = this->cursor_.Opened(run, i);
    std::memcpy(run.at, &value, sizeof(T));
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

  bool IsAllowed(bool /*value*/, const Run& /*run*/) const { return true; }
  bool IsAllowed(Handle /*value*/, const Run& /*run*/) const { return true; }
  bool IsAllowed(Id value, const Run& /*run*/) const {
    return this->cursor_.AllowsChoice(value);
  }
  bool IsAllowed(double value, const Run& run) const {
    return run.Allows(value);
  }
  bool IsAllowed(int64_t value, const Run& run) const {
    return run.Allows(static_cast<double>(value));
  }
  bool IsAllowed(const Vector2& value, const Run& run) const {
    return run.Allows(value.x) && run.Allows(value.y);
  }
  bool IsAllowed(const Vector3& value, const Run& run) const {
    return run.Allows(value.x) && run.Allows(value.y) && run.Allows(value.z);
  }
  bool IsAllowed(const Quaternion& value, const Run& run) const {
    return run.Allows(value.x) && run.Allows(value.y) && run.Allows(value.z) &&
           run.Allows(value.w) && IsOfLengthOne(value);
  }
};

// All objects make one run.
struct PlaceRun {
  uint32_t end = ~uint32_t{0};
};

template <>
class ColumnCursor<ReadsPlace> {
 public:
  using Value = Transform;
  using Run = PlaceRun;
  ColumnCursor(UpdateContext& context, const ReadsPlace& /*column*/)
      : cursor_(context) {}

  Run RunFrom(uint32_t /*i*/) const { return {}; }
  Run Refreshed(const Run& run, uint32_t /*i*/) const { return run; }
  static bool IsStale(const Run& /*run*/) { return false; }
  static void Next(Run& /*run*/) {}
  Transform Load(uint32_t i, const Run& /*run*/) { return cursor_.Load(i); }
  bool Store(uint32_t /*i*/, const Transform& /*old*/,
             const Transform& /*value*/, Run& /*run*/) {
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
             Run& /*run*/) {
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
    std::tuple<typename ColumnCursor<Column>::Run...> runs{
        std::get<k>(cursors).RunFrom(0)...};
    for (uint32_t i = 0;;) {
      const uint32_t end = std::min({count, std::get<k>(runs).end...});
      i = ForEachOf(i, end, update, cursors, runs, std::index_sequence<k...>());
      if (i == count) return;
      // A run that has ended gives way to the next one.
      ((std::get<k>(runs) = std::get<k>(runs).end > i
                                ? std::get<k>(runs)
                                : std::get<k>(cursors).RunFrom(i)),
       ...);
    }
  }

  // The same for the objects from `i` up to `end`, of one run in each column.
  // Returns `end`.
  template <typename Update, typename Cursors, typename Runs, size_t... k>
  static uint32_t ForEachOf(uint32_t i, uint32_t end, const Update& update,
                            Cursors& cursors, Runs& runs_to_keep,
                            std::index_sequence<k...>) {
    // Nothing but this loop knows of these, so they need not be read again
    // behind every write to a page.
    Runs runs = runs_to_keep;
    constexpr bool kIsPlain =
        std::is_invocable_v<Update, typename ColumnCursor<Column>::Value&...>;
    for (; i < end; ++i) {
      if constexpr (!kIsPlain) {
        const bool is_stale =
            (... || ColumnCursor<Column>::IsStale(std::get<k>(runs)));
        if (is_stale) [[unlikely]]
          Refresh(i, cursors, runs, std::index_sequence<k...>());
      }
      const std::tuple<typename ColumnCursor<Column>::Value...> old{
          std::get<k>(cursors).Load(i, std::get<k>(runs))...};
      auto values = old;
      if constexpr (kIsPlain) {
        update(std::get<k>(values)...);
      } else {
        update(i, std::get<k>(values)...);
      }
      bool has_opened = false;
      ((has_opened |= std::get<k>(cursors).Store(
            i, std::get<k>(old), std::get<k>(values), std::get<k>(runs))),
       ...);
      if (has_opened) [[unlikely]]
        Refresh(i, cursors, runs, std::index_sequence<k...>());
      (ColumnCursor<Column>::Next(std::get<k>(runs)), ...);
    }
    if constexpr (kIsPlain) {
      const bool is_stale =
          (... || ColumnCursor<Column>::IsStale(std::get<k>(runs)));
      CHECK(!is_stale, "a function without an index has written a component");
    }
    runs_to_keep = runs;
    return i;
  }

  // Finds the pages where they are now.
  template <typename Cursors, typename Runs, size_t... k>
  static void Refresh(uint32_t i, const Cursors& cursors, Runs& runs,
                      std::index_sequence<k...>) {
    ((std::get<k>(runs) = std::get<k>(cursors).Refreshed(std::get<k>(runs), i)),
     ...);
  }

  std::tuple<Column...> columns_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_UPDATES_COLUMNS_H_
