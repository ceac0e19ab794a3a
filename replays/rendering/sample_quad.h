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

template <typename Vector, typename Scalar>
inline void LoadQuad(const Scalar* from, Vector& to) {
  std::memcpy(&to, from, sizeof(to));
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
