// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fields of state: a struct that is kept in a table names each of its members
// once, and that one description serves canonical bytes, digests, snapshots,
// comparison and inspection. A member left out is a compile error.
//
//   struct Timer {
//     ObjectId object;
//     Tick due;
//     double scale;
//
//     static constexpr std::string_view kTable = "timers";
//     static constexpr uint32_t kKeyFields = 1;
//     static constexpr auto Describe() {
//       return std::array{REPRISE_FIELD(Timer, object, ""),
//                         REPRISE_FIELD(Timer, due, "tick"),
//                         REPRISE_FIELD(Timer, scale, "")};
//     }
//   };

#ifndef REPRISE_SIM_BASE_FIELD_H_
#define REPRISE_SIM_BASE_FIELD_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"

namespace reprise::sim {

// What one scalar of a field is. The numbers are part of snapshots' schema
// fingerprints: never reused.
enum class ScalarType : uint8_t {
  kBool = 1,     // 1 byte, 0 or 1
  kInt16 = 2,    // 2 bytes
  kInt32 = 3,    // 4 bytes
  kInt64 = 4,    // 8 bytes
  kUint32 = 5,   // 4 bytes
  kUint64 = 6,   // 8 bytes
  kDouble = 7,   // 8 bytes, IEEE-754, never NaN
  kId = 8,       // 8 bytes, a hashed name
  kObject = 9,   // 8 bytes, an ObjectId
  kHandle = 10,  // 8 bytes, a Handle: the index, then the generation
};

// Bytes that one scalar of `type` takes.
constexpr uint32_t ScalarSize(ScalarType type) {
  switch (type) {
    case ScalarType::kBool:
      return 1;
    case ScalarType::kInt16:
      return 2;
    case ScalarType::kInt32:
    case ScalarType::kUint32:
      return 4;
    default:
      return 8;
  }
}

// How the scalars of a field are named: speed, speed.x, speed[2], basis.xy.
enum class FieldShape : uint8_t {
  kScalar = 1,
  kArray = 2,       // [0] [1] ...
  kVector3 = 3,     // x y z
  kQuaternion = 4,  // x y z w
  kMatrix3 = 5,     // xx xy xz yx ... zz, row by row
  kVector2 = 6,     // x y
};

// How many scalars a field of `shape` has; 0 where it says that itself.
constexpr uint32_t ScalarCount(FieldShape shape) {
  switch (shape) {
    case FieldShape::kScalar:
      return 1;
    case FieldShape::kArray:
      return 0;
    case FieldShape::kVector2:
      return 2;
    case FieldShape::kVector3:
      return 3;
    case FieldShape::kQuaternion:
      return 4;
    case FieldShape::kMatrix3:
      return 9;
  }
  return 0;
}

// Says how a C++ type is stored. Specialised beside the type it describes.
template <typename T>
struct FieldTraits;

template <ScalarType kType>
struct ScalarTraits {
  static constexpr ScalarType kScalar = kType;
  static constexpr FieldShape kShape = FieldShape::kScalar;
  static constexpr uint32_t kCount = 1;
};

template <>
struct FieldTraits<bool> : ScalarTraits<ScalarType::kBool> {};
template <>
struct FieldTraits<int16_t> : ScalarTraits<ScalarType::kInt16> {};
template <>
struct FieldTraits<int32_t> : ScalarTraits<ScalarType::kInt32> {};
template <>
struct FieldTraits<int64_t> : ScalarTraits<ScalarType::kInt64> {};
template <>
struct FieldTraits<uint32_t> : ScalarTraits<ScalarType::kUint32> {};
template <>
struct FieldTraits<uint64_t> : ScalarTraits<ScalarType::kUint64> {};
template <>
struct FieldTraits<double> : ScalarTraits<ScalarType::kDouble> {};
template <>
struct FieldTraits<Id> : ScalarTraits<ScalarType::kId> {};
template <>
struct FieldTraits<ObjectId> : ScalarTraits<ScalarType::kObject> {};
template <>
struct FieldTraits<Handle> : ScalarTraits<ScalarType::kHandle> {};

template <typename T, size_t kSize>
struct FieldTraits<std::array<T, kSize>> {
  static_assert(FieldTraits<T>::kShape == FieldShape::kScalar,
                "an array field holds scalars");
  static constexpr ScalarType kScalar = FieldTraits<T>::kScalar;
  static constexpr FieldShape kShape = FieldShape::kArray;
  static constexpr uint32_t kCount = kSize;
};

// One described member: `count` scalars of one type from byte `offset` on.
struct FieldDescription {
  std::string_view name;
  std::string_view unit;  // SI symbol, or empty for a pure number
  ScalarType scalar;
  FieldShape shape;
  uint32_t count;
  uint32_t offset;
};

#define REPRISE_FIELD(Row, member, unit_symbol)                            \
  ::reprise::sim::FieldDescription {                                       \
    .name = #member, .unit = unit_symbol,                                  \
    .scalar = ::reprise::sim::FieldTraits<decltype(Row::member)>::kScalar, \
    .shape = ::reprise::sim::FieldTraits<decltype(Row::member)>::kShape,   \
    .count = ::reprise::sim::FieldTraits<decltype(Row::member)>::kCount,   \
    .offset = offsetof(Row, member),                                       \
  }

// Whether Row's description names every byte of it exactly once, in order: no
// member is missing and there is no padding, so a row's canonical bytes are
// its bytes in memory.
template <typename Row>
constexpr bool DescribesEveryByte() {
  uint32_t end = 0;
  for (const FieldDescription& field : Row::Describe()) {
    if (field.offset != end) return false;
    end += field.count * ScalarSize(field.scalar);
  }
  return end == sizeof(Row) && std::is_trivially_copyable_v<Row> &&
         std::is_standard_layout_v<Row>;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_FIELD_H_
