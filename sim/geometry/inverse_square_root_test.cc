// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the approximation gives the published bits and stays within its
// published error.

#include "sim/geometry/inverse_square_root.h"

#include <bit>
#include <utility>

#include "gtest/gtest.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

TEST(InverseSquareRootTest, GivesThePublishedBits) {
  for (const auto& [value, bits] :
       {std::pair{0.25f, 0x3fff910fu}, std::pair{0.5f, 0x3fb4f95eu},
        std::pair{1.0f, 0x3f7f910fu}, std::pair{2.0f, 0x3f34f95eu},
        std::pair{3.0f, 0x3f13ac3cu}, std::pair{4.0f, 0x3eff910fu},
        std::pair{10.0f, 0x3ea1a191u}, std::pair{100.0f, 0x3dcc7b79u}}) {
    EXPECT_EQ(std::bit_cast<uint32_t>(ApproximateInverseSquareRoot(value)),
              bits)
        << value;
  }
}

TEST(InverseSquareRootTest, ErrorsStayBelow1752Millionths) {
  // Every float in [1, 4): the pattern repeats outside.
  double worst = 0.0;
  for (uint32_t bits = std::bit_cast<uint32_t>(1.0f);
       bits < std::bit_cast<uint32_t>(4.0f); ++bits) {
    const float value = std::bit_cast<float>(bits);
    const double exact = Sqrt(static_cast<double>(value));
    const double product =
        static_cast<double>(ApproximateInverseSquareRoot(value)) * exact;
    if (Abs(product - 1.0) > worst) worst = Abs(product - 1.0);
  }
  EXPECT_NEAR(worst, 1.752339e-3, 5e-10);
}

}  // namespace
}  // namespace reprise::sim
