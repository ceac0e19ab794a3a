// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Four samples that lie side by side in memory, computed at once: those of one
// pixel, a quarter of its sixteen, or of four pixels in a row that have one
// each. Every lane is what scalars would be, by the same IEEE operations in the
// same order, in every build.

#ifndef REPRISE_REPLAYS_RENDERING_SAMPLE_QUAD_H_
#define REPRISE_REPLAYS_RENDERING_SAMPLE_QUAD_H_

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "replays/rendering/sample_places.h"
#include "sim/base/math.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {

// Sixteen bytes each: what every processor of 64 bits has registers for.
typedef double DoublePair __attribute__((vector_size(16)));
typedef int64_t MaskPair __attribute__((vector_size(16)));  // 0 or all bits
typedef float QuadFloat __attribute__((vector_size(16)));
typedef int32_t QuadMask __attribute__((vector_size(16)));  // 0 or all bits

struct QuadDouble {
  DoublePair low = {};
  DoublePair high = {};

  double operator[](size_t lane) const {
    return lane < 2 ? low[lane] : high[lane - 2];
  }
};

inline QuadDouble FourOf(double value) {
  return {DoublePair{value, value}, DoublePair{value, value}};
}
inline QuadFloat FourOf(float value) {
  return QuadFloat{value, value, value, value};
}
inline QuadMask FourOf(int32_t value) {
  return QuadMask{value, value, value, value};
}

inline QuadDouble operator+(const QuadDouble& a, const QuadDouble& b) {
  return {a.low + b.low, a.high + b.high};
}
inline QuadDouble operator-(const QuadDouble& a, const QuadDouble& b) {
  return {a.low - b.low, a.high - b.high};
}
inline QuadDouble operator-(const QuadDouble& a) { return {-a.low, -a.high}; }
inline QuadDouble operator*(const QuadDouble& a, const QuadDouble& b) {
  return {a.low * b.low, a.high * b.high};
}
inline QuadDouble operator/(const QuadDouble& a, const QuadDouble& b) {
  return {a.low / b.low, a.high / b.high};
}
inline QuadDouble operator+(const QuadDouble& a, double b) {
  return a + FourOf(b);
}
inline QuadDouble operator-(const QuadDouble& a, double b) {
  return a - FourOf(b);
}
inline QuadDouble operator*(const QuadDouble& a, double b) {
  return a * FourOf(b);
}

// Where a < b; nowhere where either is no number.
inline QuadMask IsLess(const QuadDouble& a, const QuadDouble& b) {
  const MaskPair low = a.low < b.low;
  const MaskPair high = a.high < b.high;
  return __builtin_shufflevector(std::bit_cast<QuadMask>(low),
                                 std::bit_cast<QuadMask>(high), 0, 2, 4, 6);
}

// Of each lane all bits or none.
struct QuadChoice {
  MaskPair low = {};
  MaskPair high = {};
};

// Nowhere where either is no number.
inline QuadChoice operator<(const QuadDouble& a, const QuadDouble& b) {
  return {a.low < b.low, a.high < b.high};
}
inline QuadChoice operator>=(const QuadDouble& a, const QuadDouble& b) {
  return {a.low >= b.low, a.high >= b.high};
}
inline QuadChoice operator&(const QuadChoice& a, const QuadChoice& b) {
  return {a.low & b.low, a.high & b.high};
}

// a where all bits are set, b where none is.
inline QuadFloat Select(QuadMask mask, QuadFloat a, QuadFloat b) {
  return std::bit_cast<QuadFloat>((std::bit_cast<QuadMask>(a) & mask) |
                                  (std::bit_cast<QuadMask>(b) & ~mask));
}
inline QuadMask Select(QuadMask mask, QuadMask a, QuadMask b) {
  return (a & mask) | (b & ~mask);
}

// a where it is chosen, else b.
inline QuadDouble Select(const QuadChoice& choice, const QuadDouble& a,
                         const QuadDouble& b) {
  return {choice.low ? a.low : b.low, choice.high ? a.high : b.high};
}

// a where it is more than b, and less; else b, where one is no number, too.
inline QuadDouble MoreOf(const QuadDouble& a, const QuadDouble& b) {
#ifdef __SSE2__
  return {_mm_max_pd(a.low, b.low), _mm_max_pd(a.high, b.high)};
#else
  return Select(b < a, a, b);
#endif
}
inline QuadDouble LessOf(const QuadDouble& a, const QuadDouble& b) {
#ifdef __SSE2__
  return {_mm_min_pd(a.low, b.low), _mm_min_pd(a.high, b.high)};
#else
  return Select(a < b, a, b);
#endif
}

inline bool IsAny(QuadMask mask) {
#ifdef __SSE2__
  return _mm_movemask_epi8(std::bit_cast<__m128i>(mask)) != 0;
#else
  const auto halves = std::bit_cast<std::array<uint64_t, 2>>(mask);
  return (halves[0] | halves[1]) != 0;
#endif
}

// Each to the nearest float.
inline QuadFloat ToFloats(const QuadDouble& values) {
#ifdef __SSE2__
  return _mm_movelh_ps(_mm_cvtpd_ps(values.low), _mm_cvtpd_ps(values.high));
#else
  return QuadFloat{static_cast<float>(values[0]), static_cast<float>(values[1]),
                   static_cast<float>(values[2]),
                   static_cast<float>(values[3])};
#endif
}

inline QuadDouble ToDoubles(const QuadFloat& values) {
#ifdef __SSE2__
  return {_mm_cvtps_pd(values), _mm_cvtps_pd(_mm_movehl_ps(values, values))};
#else
  return {DoublePair{values[0], values[1]}, DoublePair{values[2], values[3]}};
#endif
}
inline QuadDouble ToDoubles(const QuadMask& values) {
#ifdef __SSE2__
  const auto all = std::bit_cast<__m128i>(values);
  return {_mm_cvtepi32_pd(all), _mm_cvtepi32_pd(_mm_unpackhi_epi64(all, all))};
#else
  return {DoublePair{static_cast<double>(values[0]),
                     static_cast<double>(values[1])},
          DoublePair{static_cast<double>(values[2]),
                     static_cast<double>(values[3])}};
#endif
}

// Their fractions cut off. REQUIRES: each is within 32 bits.
inline QuadMask ToWhole(const QuadDouble& values) {
#ifdef __SSE2__
  return std::bit_cast<QuadMask>(_mm_unpacklo_epi64(
      _mm_cvttpd_epi32(values.low), _mm_cvttpd_epi32(values.high)));
#else
  return QuadMask{
      static_cast<int32_t>(values[0]), static_cast<int32_t>(values[1]),
      static_cast<int32_t>(values[2]), static_cast<int32_t>(values[3])};
#endif
}

inline QuadDouble AbsOf(const QuadDouble& values) {
  const MaskPair rest = {~static_cast<int64_t>(sim::kSignBit),
                         ~static_cast<int64_t>(sim::kSignBit)};
  const auto abs = [&](const DoublePair& pair) {
    return std::bit_cast<DoublePair>(std::bit_cast<MaskPair>(pair) & rest);
  };
  return {abs(values.low), abs(values.high)};
}

inline QuadDouble FloorOf(const QuadDouble& values) {
  // Nearly always each is a whole number of 32 bits.
  const QuadDouble whole_end = FourOf(2147483648.0);
  const QuadMask are_small = IsLess(AbsOf(values), whole_end);
  if (IsAny(~are_small)) {
    return {DoublePair{sim::Floor(values[0]), sim::Floor(values[1])},
            DoublePair{sim::Floor(values[2]), sim::Floor(values[3])}};
  }
  const QuadDouble cut = ToDoubles(ToWhole(values));
  return cut - Select(values < cut, FourOf(1.0), FourOf(0.0));
}

// Of what is below 0, of 0.
inline QuadDouble SqrtOf(const QuadDouble& values) {
#ifdef __SSE2__
  const DoublePair zero = {};
  return {_mm_sqrt_pd(_mm_max_pd(zero, values.low)),
          _mm_sqrt_pd(_mm_max_pd(zero, values.high))};
#else
  const auto root = [](double value) {
    return sim::Sqrt(value < 0 ? 0 : value);
  };
  return {DoublePair{root(values[0]), root(values[1])},
          DoublePair{root(values[2]), root(values[3])}};
#endif
}

// Four of them.
struct QuadVector {
  QuadDouble x;
  QuadDouble y;
  QuadDouble z;
};

inline QuadVector FourOf(const sim::Vector3& vector) {
  return {FourOf(vector.x), FourOf(vector.y), FourOf(vector.z)};
}
inline QuadVector operator+(const QuadVector& a, const QuadVector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline QuadVector operator-(const QuadVector& a, const QuadVector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline QuadVector operator*(const QuadVector& a, const QuadDouble& factor) {
  return {a.x * factor, a.y * factor, a.z * factor};
}
inline QuadVector operator/(const QuadVector& a, const QuadDouble& divisor) {
  return {a.x / divisor, a.y / divisor, a.z / divisor};
}
inline QuadDouble Dot(const QuadVector& a, const QuadVector& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

template <typename Vector, typename Scalar>
inline void LoadQuad(const Scalar* from, Vector& to) {
  std::memcpy(&to, from, sizeof(to));
}

inline void LoadQuad(const double* from, QuadDouble& to) {
  LoadQuad(from, to.low);
  LoadQuad(from + 2, to.high);
}

template <typename Vector, typename Scalar>
inline void StoreQuad(const Vector& from, Scalar* to) {
  std::memcpy(to, &from, sizeof(from));
}

// Samples behind the last that a quad may begin before.
inline constexpr size_t kQuadOverhang = 3;

// How the samples of a picture fall into fours.
struct QuadLayout {
  uint32_t pixels = 1;  // of a quad
  uint32_t quads = 1;   // of a pixel
  // Where the samples of each are, from the left upper corner of its first
  // pixel, in pixels.
  std::array<QuadDouble, 4> x = {};
  std::array<QuadDouble, 4> y = {};

  explicit QuadLayout(std::span<const SamplePlace> places)
      : pixels(places.size() == 1 ? 4 : 1), quads(places.size() == 16 ? 4 : 1) {
    for (size_t i = 0; i < 4 * size_t{quads}; ++i) {
      const SamplePlace& place = places[i % places.size()];
      const double pixel = pixels == 4 ? static_cast<double>(i) : 0.0;
      const auto lane = [i](QuadDouble& quad) -> DoublePair& {
        return i % 4 < 2 ? quad.low : quad.high;
      };
      lane(x[i / 4])[i % 2] = pixel + place.x;
      lane(y[i / 4])[i % 2] = place.y;
    }
  }
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_SAMPLE_QUAD_H_
