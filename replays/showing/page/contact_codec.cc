// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/page/contact_codec.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <map>

#include "absl/status/status.h"
#include "replays/showing/page/number_codec.h"
#include "replays/showing/page/pose_codec.h"
#include "sim/base/math.h"

namespace reprise::replays {
namespace {

using Pair = std::pair<int64_t, int64_t>;
using Values = std::array<int64_t, 7>;

constexpr uint64_t kOtherPairs = 0;
constexpr uint64_t kSamePairs = 1;
constexpr size_t kColumns = 7;

int64_t Quantize(double value, double step) {
  const double held = std::clamp(value, -kPositionMaxM, kPositionMaxM);
  return sim::ToInt64Saturated(sim::Floor(held / step + 0.5));
}

// Of floats that aren't negative, greater ones have greater bits. Rounding up
// may carry into the exponent, which is right.
int64_t QuantizeImpulse(double impulse) {
  const double most = std::numeric_limits<float>::max() / 2;
  const auto held = static_cast<float>(std::clamp(impulse, 0.0, most));
  constexpr uint32_t kHalf = 1u << (kImpulseBitsDropped - 1);
  return (std::bit_cast<uint32_t>(held) + kHalf) >> kImpulseBitsDropped;
}

double ImpulseOf(int64_t bits) {
  constexpr int64_t kMost = std::numeric_limits<uint32_t>::max();
  const auto held = static_cast<uint32_t>(
      std::clamp<int64_t>(bits, 0, kMost >> kImpulseBitsDropped));
  return std::bit_cast<float>(held << kImpulseBitsDropped);
}

Values QuantizeContact(const ShownContact& contact) {
  const auto& [a, b, point, normal, impulse] = contact;
  return {Quantize(point.x, kContactStepM), Quantize(point.y, kContactStepM),
          Quantize(point.z, kContactStepM), Quantize(normal.x, kNormalStep),
          Quantize(normal.y, kNormalStep),  Quantize(normal.z, kNormalStep),
          QuantizeImpulse(impulse)};
}

ShownContact ContactOf(const Pair& pair, const Values& values) {
  const auto value = [&](size_t i) { return static_cast<double>(values[i]); };
  return {pair.first, pair.second,
          kContactStepM * sim::Vector3{value(0), value(1), value(2)},
          sim::Normalized(sim::Vector3{value(3), value(4), value(5)}),
          ImpulseOf(values[6])};
}

// What each contact is coded from: the same one in the frame before, or zeros.
std::vector<Values> FindReferences(const std::vector<Pair>& before,
                                   const std::vector<Values>& values,
                                   const std::vector<Pair>& now) {
  if (before == now) return values;
  std::map<Pair, std::vector<size_t>> places;
  for (size_t i = 0; i < before.size(); ++i) places[before[i]].push_back(i);
  std::map<Pair, size_t> seen;
  std::vector<Values> references(now.size());
  for (size_t i = 0; i < now.size(); ++i) {
    const size_t nth = seen[now[i]]++;
    const auto known = places.find(now[i]);
    if (known == places.end() || nth >= known->second.size()) continue;
    references[i] = values[known->second[nth]];
  }
  return references;
}

// False where there are more than the bytes could hold.
bool ReadPairs(size_t bytes, NumberReader& reader, std::vector<Pair>& pairs) {
  const uint64_t count = reader.Unsigned();
  if (count > bytes) return false;
  pairs.clear();
  int64_t first = 0;
  for (uint64_t i = 0; i < count; ++i) {
    first += reader.Signed();
    const int64_t second = reader.Signed();
    pairs.emplace_back(first, second);
  }
  return reader.is_ok();
}

}  // namespace

void ContactEncoder::AddFrame(std::span<const ShownContact> contacts) {
  std::vector<Pair> pairs;
  std::vector<Values> values;
  for (const ShownContact& contact : contacts) {
    pairs.emplace_back(contact.object_a, contact.object_b);
    values.push_back(QuantizeContact(contact));
  }
  const std::vector<Values> references = FindReferences(pairs_, values_, pairs);
  if (pairs == pairs_) {
    AppendUnsigned(kSamePairs, bytes_);
  } else {
    AppendUnsigned(kOtherPairs, bytes_);
    AppendUnsigned(pairs.size(), bytes_);
    int64_t before = 0;
    for (const auto& [a, b] : pairs) {
      AppendSigned(a - before, bytes_);
      AppendSigned(b, bytes_);
      before = a;
    }
  }
  for (size_t column = 0; column < kColumns; ++column) {
    for (size_t i = 0; i < values.size(); ++i) {
      AppendSigned(values[i][column] - references[i][column], bytes_);
    }
  }
  pairs_ = std::move(pairs);
  values_ = std::move(values);
}

std::string ContactEncoder::TakeChunk() {
  pairs_.clear();
  values_.clear();
  return std::exchange(bytes_, {});
}

absl::StatusOr<std::vector<std::vector<ShownContact>>> DecodeContacts(
    std::string_view chunk, uint32_t frame_count) {
  const absl::Status damage =
      absl::DataLossError("a chunk of contacts is damaged");
  NumberReader reader(chunk);
  std::vector<std::vector<ShownContact>> frames;
  std::vector<Pair> before;
  std::vector<Values> values;
  for (uint32_t frame = 0; frame < frame_count; ++frame) {
    std::vector<Pair> pairs = before;
    const uint64_t kind = reader.Unsigned();
    if (!reader.is_ok() || kind > kSamePairs) return damage;
    if (kind == kOtherPairs && !ReadPairs(chunk.size(), reader, pairs)) {
      return damage;
    }
    values = FindReferences(before, values, pairs);
    for (size_t column = 0; column < kColumns; ++column) {
      // Of damaged bytes a sum may be beyond; it wraps around then.
      for (Values& of_contact : values) {
        of_contact[column] =
            static_cast<int64_t>(static_cast<uint64_t>(of_contact[column]) +
                                 static_cast<uint64_t>(reader.Signed()));
      }
    }
    if (!reader.is_ok()) return damage;
    std::vector<ShownContact>& contacts = frames.emplace_back();
    for (size_t i = 0; i < pairs.size(); ++i) {
      contacts.push_back(ContactOf(pairs[i], values[i]));
    }
    before = std::move(pairs);
  }
  if (!reader.is_at_end()) return damage;
  return frames;
}

}  // namespace reprise::replays
