// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/bazel/fuzz_mutator.h"

#include <algorithm>
#include <array>
#include <utility>

namespace reprise::tools {
namespace {

using Input = FuzzMutator::Input;

// Most changes keep an input nearly valid; eight are enough to break several
// fields at once.
constexpr size_t kChangesMax = 8;

// Bytes at which readers of lengths, tags and text go wrong.
constexpr std::array<uint8_t, 8> kTellingBytes = {0x00, 0x01, 0x7f, 0x80,
                                                  0xff, '"',  '{',  '\n'};

Input::difference_type Offset(size_t position) {
  return static_cast<Input::difference_type>(position);
}

}  // namespace

FuzzMutator::FuzzMutator(std::vector<Input> corpus, size_t bytes_max,
                         uint64_t seed)
    : corpus_(std::move(corpus)), bytes_max_(bytes_max), state_(seed) {}

Input FuzzMutator::Next() {
  Input input = corpus_[Draw(corpus_.size())];
  const size_t changes = 1 + Draw(kChangesMax);
  for (size_t i = 0; i < changes; ++i) Mutate(input);
  if (input.size() > bytes_max_) input.resize(bytes_max_);
  return input;
}

size_t FuzzMutator::Draw(size_t bound) {
  // SplitMix64 (Steele, Lea and Flood, 2014).
  state_ += 0x9e3779b97f4a7c15;
  uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  mixed ^= mixed >> 31;
  return static_cast<size_t>(mixed % bound);
}

void FuzzMutator::Mutate(Input& input) {
  if (input.empty()) {
    input.push_back(static_cast<uint8_t>(Draw(256)));
    return;
  }
  const size_t begin = Draw(input.size());
  const size_t length = 1 + Draw(std::min<size_t>(input.size() - begin, 32));
  const auto first = input.begin() + Offset(begin);
  const auto last = first + Offset(length);
  switch (Draw(7)) {
    case 0:
      *first ^= static_cast<uint8_t>(1u << Draw(8));
      break;
    case 1:
      *first = static_cast<uint8_t>(Draw(256));
      break;
    case 2:
      *first = kTellingBytes[Draw(kTellingBytes.size())];
      break;
    case 3:
      input.erase(first, last);
      break;
    case 4:
      input.resize(begin);
      break;
    case 5: {
      const Input piece(first, last);
      input.insert(first, piece.begin(), piece.end());
      break;
    }
    default: {
      const Input& other = corpus_[Draw(corpus_.size())];
      if (other.empty()) break;
      const size_t from = Draw(other.size());
      const size_t count = 1 + Draw(std::min<size_t>(other.size() - from, 32));
      input.insert(first, other.begin() + Offset(from),
                   other.begin() + Offset(from + count));
      break;
    }
  }
}

}  // namespace reprise::tools
