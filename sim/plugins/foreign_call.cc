// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/foreign_call.h"

#include <setjmp.h>

#include <atomic>
#include <utility>

#include "sim/base/float_control.h"
#include "sim/plugins/plugin_text.h"

namespace reprise::sim {
namespace {

// What a handler of signals reads is constant-initialised: no code runs.
constinit thread_local ForeignPlace place;
constinit thread_local sigjmp_buf* way_back = nullptr;
constinit thread_local int crash_signal = 0;
constinit std::atomic<bool> crashes_are_caught = false;

// Where a crash goes on while this lives.
class WayBack {
 public:
  explicit WayBack(sigjmp_buf* here) : outer_(std::exchange(way_back, here)) {}
  ~WayBack() { way_back = outer_; }
  WayBack(const WayBack&) = delete;
  WayBack& operator=(const WayBack&) = delete;

 private:
  sigjmp_buf* const outer_;
};

}  // namespace

const ForeignPlace& CurrentForeignPlace() { return place; }

ForeignPlaceScope::ForeignPlaceScope(const char* plugin, Tick tick)
    : outer_(std::exchange(
          place, ForeignPlace{.plugin = plugin, .call = {}, .tick = tick})) {}

ForeignPlaceScope::~ForeignPlaceScope() { place = outer_; }

ForeignCallScope::ForeignCallScope(std::string_view call) { place.call = call; }

ForeignCallScope::~ForeignCallScope() { place.call = {}; }

void CatchForeignCrashes(bool is_wanted) { crashes_are_caught = is_wanted; }

void ReturnFromForeignCrash(int signal_number) {
  if (way_back == nullptr) return;
  crash_signal = signal_number;
  siglongjmp(*way_back, 1);
}

OwnCodeScope::OwnCodeScope() : way_back_(std::exchange(way_back, nullptr)) {}

OwnCodeScope::~OwnCodeScope() {
  way_back = static_cast<sigjmp_buf*>(way_back_);
}

int CallUntilCrash(void (*call)(const void* closure), const void* closure) {
  if (!crashes_are_caught.load(std::memory_order_relaxed)) {
    call(closure);
    return 0;
  }
  sigjmp_buf here;
  const WayBack back(&here);
  // Between here and there are frames of the plug-in alone.
  if (sigsetjmp(here, /*savemask=*/1) != 0) {  // NOLINT(cert-err52-cpp)
    return crash_signal;
  }
  call(closure);
  return 0;
}

ForeignFloatControl::ForeignFloatControl() : caller_(ReadFloatControl()) {
  SetDeterministicFloatControl();
}

ForeignFloatControl::~ForeignFloatControl() { WriteFloatControl(caller_); }

absl::Status ForeignFloatControl::Check() {
  if (FloatControlIsDeterministic()) return absl::OkStatus();
  return absl::InternalError(
      fmt::format("{}, and with it the results of whatever comes next",
                  kFloatControlChanged));
}

ForeignError::ForeignError()
    : error_({.struct_size = sizeof(reprise_error),
              .capacity = text_.size(),
              .text = text_.data()}) {}

absl::Status ForeignError::StatusOf(std::string_view name, int32_t code) const {
  absl::Status guarded = text_.Check("an error");
  if (guarded.ok()) guarded = error_.CheckGuard("reprise_error");
  if (!guarded.ok()) return At(name, guarded);
  if (code == REPRISE_OK) return absl::OkStatus();
  constexpr int32_t kCodeMax = 16;
  // What a plug-in says in order ends nothing that ABORTED stands for.
  const auto known =
      code > 0 && code <= kCodeMax &&
              code != static_cast<int>(absl::StatusCode::kAborted)
          ? static_cast<absl::StatusCode>(code)
          : absl::StatusCode::kInternal;
  std::string text = text_.Text();
  if (text.empty()) {
    text = "it failed and doesn't say why";
  } else if (!CheckName(text.c_str()).ok()) {
    text = PrintableName(text.c_str());
  }
  return absl::Status(known, fmt::format("{}: {}", name, text));
}

}  // namespace reprise::sim
