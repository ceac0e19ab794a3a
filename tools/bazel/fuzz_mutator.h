// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Makes new inputs for a fuzzer out of the ones it has. The same seed and
// corpus give the same inputs on every machine.

#ifndef REPRISE_TOOLS_BAZEL_FUZZ_MUTATOR_H_
#define REPRISE_TOOLS_BAZEL_FUZZ_MUTATOR_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reprise::tools {

class FuzzMutator {
 public:
  using Input = std::vector<uint8_t>;

  // Never makes an input of more than `bytes_max` bytes.
  // REQUIRES: `corpus` is not empty, `bytes_max` is at least 1.
  FuzzMutator(std::vector<Input> corpus, size_t bytes_max, uint64_t seed);

  // Returns an input of the corpus with one to eight changes: bits flipped,
  // bytes set, pieces cut out, repeated, or taken from another input.
  Input Next();

 private:
  // Returns a number in [0, bound). REQUIRES: `bound` is at least 1.
  size_t Draw(size_t bound);
  void Mutate(Input& input);

  std::vector<Input> corpus_;
  size_t bytes_max_;
  uint64_t state_;
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_BAZEL_FUZZ_MUTATOR_H_
