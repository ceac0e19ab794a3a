// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the inputs a fuzzer is tested with can be had again, and that
// they are neither too long nor all alike: by making many from a small corpus.

#include "tools/bazel/fuzz_mutator.h"

#include <set>

#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

using Input = FuzzMutator::Input;

std::vector<Input> MakeInputs(uint64_t seed, size_t count,
                              std::vector<Input> corpus) {
  FuzzMutator mutator(std::move(corpus), /*bytes_max=*/64, seed);
  std::vector<Input> inputs;
  for (size_t i = 0; i < count; ++i) inputs.push_back(mutator.Next());
  return inputs;
}

const std::vector<Input>& Corpus() {
  static const std::vector<Input> corpus = {Input(60, 7), {1, 2, 3}, {}};
  return corpus;
}

TEST(FuzzMutatorTest, SameSeedMakesTheSameInputs) {
  EXPECT_EQ(MakeInputs(1, 1000, Corpus()), MakeInputs(1, 1000, Corpus()));
}

TEST(FuzzMutatorTest, AnotherSeedMakesOtherInputs) {
  EXPECT_NE(MakeInputs(1, 1000, Corpus()), MakeInputs(2, 1000, Corpus()));
}

TEST(FuzzMutatorTest, InputsStayWithinTheirMaximum) {
  for (const Input& input : MakeInputs(3, 1000, Corpus())) {
    ASSERT_LE(input.size(), 64u);
  }
}

TEST(FuzzMutatorTest, MostInputsAreDifferent) {
  const std::vector<Input> inputs = MakeInputs(4, 1000, Corpus());

  const std::set<Input> different(inputs.begin(), inputs.end());

  EXPECT_GT(different.size(), 500u);
}

TEST(FuzzMutatorTest, EmptyInputGrows) {
  const std::vector<Input> inputs = MakeInputs(5, 10, {{}});

  EXPECT_FALSE(inputs.front().empty());
}

}  // namespace
}  // namespace reprise::tools
