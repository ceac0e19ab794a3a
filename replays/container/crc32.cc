// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/container/crc32.h"

#include "zlib.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace reprise::replays {
namespace {

uint32_t Crc32OfZlib(std::span<const std::byte> bytes, uint32_t previous) {
  // zlib takes a null pointer as a question for the initial value.
  if (bytes.empty()) return previous;
  return static_cast<uint32_t>(crc32_z(
      previous, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

#if defined(__x86_64__)

#define REPRISE_CARRY_LESS __attribute__((target("pclmul,sse4.1")))

constexpr size_t kLaneBytes = 16;
constexpr size_t kLanes = 4;
constexpr size_t kBlockBytes = kLanes * kLaneBytes;

bool HasCarryLessMultiplication() {
  // __builtin_cpu_supports needs a part of libgcc that a linker doesn't find
  // any more where it optimises across files.
  static const bool has = [] {
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 &&
           (ecx & bit_PCLMUL) != 0 && (ecx & bit_SSE4_1) != 0;
  }();
  return has;
}

REPRISE_CARRY_LESS __m128i Load(const std::byte* bytes) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
}

// Moves `lane` to the front of `next`, over the distance that `powers` is for.
REPRISE_CARRY_LESS __m128i Fold(__m128i lane, __m128i powers, __m128i next) {
  const __m128i low = _mm_clmulepi64_si128(lane, powers, 0x00);
  const __m128i high = _mm_clmulepi64_si128(lane, powers, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

// Brings the remainder in `lane` down to 32 bits.
REPRISE_CARRY_LESS uint32_t Reduce(__m128i lane) {
  const __m128i low_words = _mm_setr_epi32(-1, 0, -1, 0);
  const __m128i over_64 = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0);
  const __m128i over_32 = _mm_set_epi64x(0, 0x0163cd6124);
  // Barrett's reduction: the polynomial, and its inverse above.
  const __m128i polynomial = _mm_set_epi64x(0x01f7011641, 0x01db710641);

  __m128i rest = _mm_xor_si128(_mm_srli_si128(lane, 8),
                               _mm_clmulepi64_si128(lane, over_64, 0x10));
  rest = _mm_xor_si128(
      _mm_srli_si128(rest, 4),
      _mm_clmulepi64_si128(_mm_and_si128(rest, low_words), over_32, 0x00));
  __m128i quotient =
      _mm_clmulepi64_si128(_mm_and_si128(rest, low_words), polynomial, 0x10);
  quotient = _mm_clmulepi64_si128(_mm_and_si128(quotient, low_words),
                                  polynomial, 0x00);
  return static_cast<uint32_t>(
      _mm_extract_epi32(_mm_xor_si128(rest, quotient), 1));
}

// Four lanes side by side, folded into one and reduced, as in Gopal et al.,
// "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction",
// Intel 2009; the constants are its, for zlib's polynomial, bits reflected.
// REQUIRES: whole lanes, at least kLanes of them.
REPRISE_CARRY_LESS uint32_t Crc32OfLanes(std::span<const std::byte> bytes,
                                         uint32_t previous) {
  const __m128i over_block = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4);
  const __m128i over_lane = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0);
  const std::byte* next = bytes.data();
  const std::byte* const end = next + bytes.size();

  __m128i lanes[kLanes];
  for (size_t i = 0; i < kLanes; ++i) lanes[i] = Load(next + i * kLaneBytes);
  lanes[0] =
      _mm_xor_si128(lanes[0], _mm_cvtsi32_si128(static_cast<int>(~previous)));
  next += kBlockBytes;
  for (; static_cast<size_t>(end - next) >= kBlockBytes; next += kBlockBytes) {
    for (size_t i = 0; i < kLanes; ++i) {
      lanes[i] = Fold(lanes[i], over_block, Load(next + i * kLaneBytes));
    }
  }
  __m128i lane = lanes[0];
  for (size_t i = 1; i < kLanes; ++i) lane = Fold(lane, over_lane, lanes[i]);
  for (; next != end; next += kLaneBytes) {
    lane = Fold(lane, over_lane, Load(next));
  }
  return ~Reduce(lane);
}

#undef REPRISE_CARRY_LESS

#endif  // defined(__x86_64__)

}  // namespace

uint32_t Crc32(std::span<const std::byte> bytes, uint32_t previous) {
#if defined(__x86_64__)
  if (bytes.size() >= kBlockBytes && HasCarryLessMultiplication()) {
    const size_t lane_bytes = bytes.size() - bytes.size() % kLaneBytes;
    previous = Crc32OfLanes(bytes.first(lane_bytes), previous);
    bytes = bytes.subspan(lane_bytes);
  }
#endif
  return Crc32OfZlib(bytes, previous);
}

uint32_t JoinCrc32(uint32_t first, uint32_t second, uint64_t length) {
  return static_cast<uint32_t>(
      crc32_combine(first, second, static_cast<z_off_t>(length)));
}

}  // namespace reprise::replays
