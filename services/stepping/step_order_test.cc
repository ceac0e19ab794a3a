// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a request becomes the order it describes, and that each mistake
// that can be seen in the request alone has its own code and reason.

#include "services/stepping/step_order.h"

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "services/base/status.h"
#include "sim/base/tick.h"

namespace reprise::services {
namespace {

constexpr uint32_t kTicksMax = 100;

// A request for ticks 10 to 19 with an input at tick 12.
v1::StepSessionRequest SoundRequest() {
  v1::StepSessionRequest request;
  request.set_tick(10);
  request.set_tick_count(10);
  v1::TickInputs& inputs = *request.add_inputs();
  inputs.set_tick(12);
  inputs.add_frames()->mutable_device()->set_buttons(1);
  return request;
}

TEST(StepOrderTest, ASoundRequestBecomesAnOrder) {
  const auto order = ParseStepOrder(SoundRequest(), kTicksMax);

  ASSERT_TRUE(order.ok()) << order.status();
  EXPECT_EQ(order->first_tick, 10u);
  EXPECT_EQ(order->end_tick(), 20u);
  ASSERT_EQ(order->inputs.size(), 1u);
  EXPECT_EQ(order->inputs[0].tick, 12u);
  EXPECT_EQ(order->inputs[0].frames[0].device.buttons, 1u);
}

TEST(StepOrderTest, AsManyTicksAsAllowedAreTaken) {
  v1::StepSessionRequest request;
  request.set_tick_count(kTicksMax);

  EXPECT_TRUE(ParseStepOrder(request, kTicksMax).ok());
}

struct Mistake {
  const char* name;
  std::function<void(v1::StepSessionRequest&)> make;
  absl::StatusCode code;
  const char* reason;
};

class StepOrderMistakeTest : public testing::TestWithParam<Mistake> {};

TEST_P(StepOrderMistakeTest, IsRefusedWithItsReason) {
  v1::StepSessionRequest request = SoundRequest();
  GetParam().make(request);

  const absl::Status status = ParseStepOrder(request, kTicksMax).status();

  EXPECT_EQ(status.code(), GetParam().code) << status;
  EXPECT_EQ(ReasonOf(status), GetParam().reason);
}

INSTANTIATE_TEST_SUITE_P(
    Each, StepOrderMistakeTest,
    testing::Values(
        Mistake{"TooManyTicks", [](auto& r) { r.set_tick_count(101); },
                absl::StatusCode::kResourceExhausted, "TOO_MANY_TICKS"},
        Mistake{"PastTheLastTick",
                [](auto& r) { r.set_tick(sim::kTickMax - 9); },
                absl::StatusCode::kOutOfRange, "TICK_OUT_OF_RANGE"},
        Mistake{"TicksThatOverflow", [](auto& r) { r.set_tick(~uint64_t{0}); },
                absl::StatusCode::kOutOfRange, "TICK_OUT_OF_RANGE"},
        Mistake{"InputsBeforeTheRequest",
                [](auto& r) { r.mutable_inputs(0)->set_tick(9); },
                absl::StatusCode::kInvalidArgument,
                "INPUT_TICK_OUTSIDE_REQUEST"},
        Mistake{"InputsBehindTheRequest",
                [](auto& r) { r.mutable_inputs(0)->set_tick(20); },
                absl::StatusCode::kInvalidArgument,
                "INPUT_TICK_OUTSIDE_REQUEST"},
        Mistake{"InputsWhenOnlyLooking", [](auto& r) { r.set_tick_count(0); },
                absl::StatusCode::kInvalidArgument,
                "INPUT_TICK_OUTSIDE_REQUEST"},
        Mistake{"OneTickTwice", [](auto& r) { r.add_inputs()->set_tick(12); },
                absl::StatusCode::kInvalidArgument,
                "INPUT_TICKS_NOT_ASCENDING"},
        Mistake{"OnePlayerTwice",
                [](auto& r) { r.mutable_inputs(0)->add_frames(); },
                absl::StatusCode::kInvalidArgument, "INPUT_REFUSED"},
        Mistake{"AnAxisPastItsRange",
                [](auto& r) {
                  r.mutable_inputs(0)
                      ->mutable_frames(0)
                      ->mutable_device()
                      ->add_axes(-32768);
                },
                absl::StatusCode::kInvalidArgument, "INPUT_REFUSED"},
        Mistake{"ACommandWithoutName",
                [](auto& r) {
                  r.mutable_inputs(0)->mutable_frames(0)->add_commands();
                },
                absl::StatusCode::kInvalidArgument, "INPUT_REFUSED"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace reprise::services
