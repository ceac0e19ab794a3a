// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Numbers of several independent pairs of bodies side by side. Each lane is
// what scalars would be: the same IEEE operations in the same order, whatever
// vectors the processor has. Everything is inlined, so that a function compiled
// for wider vectors is made of them.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_WIDE_H_
#define REPRISE_SIM_PHYSICS_SOLVER_WIDE_H_

#include <array>
#include <cstdint>

#include "LinearMath/btVector3.h"
#include "sim/base/math.h"
#include "sim/physics/solver/quad.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define REPRISE_INLINE inline __attribute__((always_inline))
#define REPRISE_LAMBDA_INLINE __attribute__((always_inline))

namespace reprise::sim {

// `kWidth` of them in the processor.
template <int kWidth>
struct WideTypes;
template <>
struct WideTypes<2> {
  typedef double Value __attribute__((vector_size(16)));
  typedef int64_t Mask __attribute__((vector_size(16)));
  typedef Value StoredValue __attribute__((may_alias));
  typedef Mask StoredMask __attribute__((may_alias));
};
template <>
struct WideTypes<4> {
  typedef double Value __attribute__((vector_size(32)));
  typedef int64_t Mask __attribute__((vector_size(32)));
  typedef Value StoredValue __attribute__((may_alias));
  typedef Mask StoredMask __attribute__((may_alias));
};
template <int kWidth>
using Wide = typename WideTypes<kWidth>::Value;
template <int kWidth>
using WideMask = typename WideTypes<kWidth>::Mask;
template <int kWidth>
using StoredWide = typename WideTypes<kWidth>::StoredValue;
template <int kWidth>
using StoredMask = typename WideTypes<kWidth>::StoredMask;

template <int kWidth>
struct WideVector3 {
  Wide<kWidth> x;
  Wide<kWidth> y;
  Wide<kWidth> z;
};

// One body of each pair.
template <int kWidth>
struct WideVelocity {
  WideVector3<kWidth> linear;
  WideVector3<kWidth> angular;
};

// Lanes of a quad from `first` on.
template <int kWidth>
REPRISE_INLINE Wide<kWidth> Read(const Quad& quad, int first) {
  return *reinterpret_cast<const StoredWide<kWidth>*>(&quad.lanes[first]);
}

template <int kWidth>
REPRISE_INLINE WideMask<kWidth> Read(const QuadMask& mask, int first) {
  return *reinterpret_cast<const StoredMask<kWidth>*>(&mask.lanes[first]);
}

template <int kWidth>
REPRISE_INLINE void Write(const Wide<kWidth>& value, int first, Quad& quad) {
  *reinterpret_cast<StoredWide<kWidth>*>(&quad.lanes[first]) = value;
}

template <int kWidth>
REPRISE_INLINE void Write(const WideMask<kWidth>& value, int first,
                          QuadMask& mask) {
  *reinterpret_cast<StoredMask<kWidth>*>(&mask.lanes[first]) = value;
}

template <int kWidth>
REPRISE_INLINE WideVector3<kWidth> Read(const QuadVector3& quad, int first) {
  return {Read<kWidth>(quad.x, first), Read<kWidth>(quad.y, first),
          Read<kWidth>(quad.z, first)};
}

template <int kWidth>
REPRISE_INLINE Wide<kWidth> All(double value) {
  return value - Wide<kWidth>{};  // a difference keeps the sign of zero
}

template <int kWidth>
REPRISE_INLINE Wide<kWidth> Choose(const WideMask<kWidth>& mask,
                                   const Wide<kWidth>& yes,
                                   const Wide<kWidth>& no) {
  return reinterpret_cast<Wide<kWidth>>(
      (mask & reinterpret_cast<WideMask<kWidth>>(yes)) |
      (~mask & reinterpret_cast<WideMask<kWidth>>(no)));
}

// As std::max and std::clamp.
template <int kWidth>
REPRISE_INLINE Wide<kWidth> Max(const Wide<kWidth>& a, const Wide<kWidth>& b) {
  return Choose<kWidth>(a < b, b, a);
}

template <int kWidth>
REPRISE_INLINE Wide<kWidth> Min(const Wide<kWidth>& a, const Wide<kWidth>& b) {
  return Choose<kWidth>(b < a, b, a);
}

template <int kWidth>
REPRISE_INLINE Wide<kWidth> Clamp(const Wide<kWidth>& value,
                                  const Wide<kWidth>& low,
                                  const Wide<kWidth>& high) {
  return Choose<kWidth>(value < low, low,
                        Choose<kWidth>(high < value, high, value));
}

REPRISE_INLINE bool AnyOf(const WideMask<2>& mask) {
#if defined(__SSE2__)
  return _mm_movemask_pd(reinterpret_cast<__m128d>(mask)) != 0;
#else
  return (mask[0] | mask[1]) != 0;
#endif
}

REPRISE_INLINE bool AnyOf(const WideMask<4>& mask) {
  const WideMask<2> low = __builtin_shufflevector(mask, mask, 0, 1);
  const WideMask<2> high = __builtin_shufflevector(mask, mask, 2, 3);
  return AnyOf(low | high);
}

REPRISE_INLINE Wide<2> RootOf(const Wide<2>& value) {
#if defined(__SSE2__)
  return _mm_sqrt_pd(value);
#else
  return Wide<2>{Sqrt(value[0]), Sqrt(value[1])};
#endif
}

REPRISE_INLINE Wide<4> RootOf(const Wide<4>& value) {
  const Wide<2> low = RootOf(__builtin_shufflevector(value, value, 0, 1));
  const Wide<2> high = RootOf(__builtin_shufflevector(value, value, 2, 3));
  return __builtin_shufflevector(low, high, 0, 1, 2, 3);
}

template <int kWidth>
REPRISE_INLINE Wide<kWidth> Dot(const WideVector3<kWidth>& a,
                                const WideVector3<kWidth>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Adds `factor` times `v`.
template <int kWidth>
REPRISE_INLINE void AddTimes(const WideVector3<kWidth>& v,
                             const Wide<kWidth>& factor,
                             WideVector3<kWidth>& sum) {
  sum.x += v.x * factor;
  sum.y += v.y * factor;
  sum.z += v.z * factor;
}

template <int kWidth>
REPRISE_INLINE void Choose(const WideMask<kWidth>& mask,
                           const WideVector3<kWidth>& yes,
                           WideVector3<kWidth>& value) {
  value.x = Choose<kWidth>(mask, yes.x, value.x);
  value.y = Choose<kWidth>(mask, yes.y, value.y);
  value.z = Choose<kWidth>(mask, yes.z, value.z);
}

// A vector of each of several bodies, from where they are in memory and back.
REPRISE_INLINE WideVector3<2> Gather(
    const std::array<const btVector3*, 2>& from) {
  const auto* const a = reinterpret_cast<const StoredWide<2>*>(from[0]);
  const auto* const b = reinterpret_cast<const StoredWide<2>*>(from[1]);
  return {__builtin_shufflevector(a[0], b[0], 0, 2),
          __builtin_shufflevector(a[0], b[0], 1, 3),
          __builtin_shufflevector(a[1], b[1], 0, 2)};
}

REPRISE_INLINE WideVector3<4> Gather(
    const std::array<const btVector3*, 4>& from) {
  const Wide<4> a = *reinterpret_cast<const StoredWide<4>*>(from[0]);
  const Wide<4> b = *reinterpret_cast<const StoredWide<4>*>(from[1]);
  const Wide<4> c = *reinterpret_cast<const StoredWide<4>*>(from[2]);
  const Wide<4> d = *reinterpret_cast<const StoredWide<4>*>(from[3]);
  const Wide<4> ab_xz = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Wide<4> ab_yw = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Wide<4> cd_xz = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Wide<4> cd_yw = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return {__builtin_shufflevector(ab_xz, cd_xz, 0, 1, 4, 5),
          __builtin_shufflevector(ab_yw, cd_yw, 0, 1, 4, 5),
          __builtin_shufflevector(ab_xz, cd_xz, 2, 3, 6, 7)};
}

REPRISE_INLINE void Scatter(const WideVector3<2>& v,
                            const std::array<btVector3*, 2>& to) {
  const Wide<2> zero = {};
  auto* const a = reinterpret_cast<StoredWide<2>*>(to[0]);
  auto* const b = reinterpret_cast<StoredWide<2>*>(to[1]);
  a[0] = __builtin_shufflevector(v.x, v.y, 0, 2);
  a[1] = __builtin_shufflevector(v.z, zero, 0, 2);
  b[0] = __builtin_shufflevector(v.x, v.y, 1, 3);
  b[1] = __builtin_shufflevector(v.z, zero, 1, 3);
}

REPRISE_INLINE void Scatter(const WideVector3<4>& v,
                            const std::array<btVector3*, 4>& to) {
  const Wide<4> zero = {};
  const Wide<4> ac_xy = __builtin_shufflevector(v.x, v.y, 0, 4, 2, 6);
  const Wide<4> bd_xy = __builtin_shufflevector(v.x, v.y, 1, 5, 3, 7);
  const Wide<4> ac_z = __builtin_shufflevector(v.z, zero, 0, 4, 2, 6);
  const Wide<4> bd_z = __builtin_shufflevector(v.z, zero, 1, 5, 3, 7);
  *reinterpret_cast<StoredWide<4>*>(to[0]) =
      __builtin_shufflevector(ac_xy, ac_z, 0, 1, 4, 5);
  *reinterpret_cast<StoredWide<4>*>(to[1]) =
      __builtin_shufflevector(bd_xy, bd_z, 0, 1, 4, 5);
  *reinterpret_cast<StoredWide<4>*>(to[2]) =
      __builtin_shufflevector(ac_xy, ac_z, 2, 3, 6, 7);
  *reinterpret_cast<StoredWide<4>*>(to[3]) =
      __builtin_shufflevector(bd_xy, bd_z, 2, 3, 6, 7);
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_WIDE_H_
