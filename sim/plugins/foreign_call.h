// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A call into a plug-in: the control of floating point that simulations run
// under, what it says of errors, and what it must not do, each with a sentence.
//
// ABORTED stands for what leaves nothing of a simulation to rely on: it
// crashed, threw, wrote where it mustn't, or filled in what can't be. Whoever
// gets it never calls that simulation again, not even to have it destroyed.

#ifndef REPRISE_SIM_PLUGINS_FOREIGN_CALL_H_
#define REPRISE_SIM_PLUGINS_FOREIGN_CALL_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "include/reprise/simulation.h"
#include "sim/base/tick.h"
#include "sim/plugins/plugin_text.h"

namespace reprise::sim {

// How the sentence begins that says so.
inline constexpr std::string_view kFloatControlChanged =
    "it changed the control of floating point";

// The setting of floating point that simulations run under, while it lives.
class [[nodiscard]] ForeignFloatControl {
 public:
  ForeignFloatControl();
  ~ForeignFloatControl();
  ForeignFloatControl(const ForeignFloatControl&) = delete;
  ForeignFloatControl& operator=(const ForeignFloatControl&) = delete;

  // INTERNAL: it was changed.
  static absl::Status Check();

 private:
  const uint64_t caller_;
};

// What stands behind memory of ours that a plug-in sees: what a careless
// `strcpy` goes beyond. The rest is up to the process.
inline constexpr char kPluginGuard = 0x5a;
inline constexpr size_t kPluginGuardBytes = 64;

// Some bytes of ours that a plug-in writes into, and others behind them, which
// it must leave.
template <size_t kSize>
class GuardedText {
 public:
  GuardedText() {
    std::memset(bytes_.data() + kSize, kPluginGuard, kPluginGuardBytes);
  }

  char* data() { return bytes_.data(); }
  const char* data() const { return bytes_.data(); }
  static constexpr uint32_t size() { return kSize; }

  // What is in front of the first zero.
  std::string Text() const {
    const std::string_view all(bytes_.data(), kSize);
    return std::string(all.substr(0, all.find('\0')));
  }

  // ABORTED: it wrote behind them.
  absl::Status Check(std::string_view what) const {
    // At each tick, so it has to be cheap: the first is a guard, and each the
    // same as the one before it.
    const char* const guard = bytes_.data() + kSize;
    if (guard[0] == kPluginGuard &&
        std::memcmp(guard, guard + 1, kPluginGuardBytes - 1) == 0) {
      return absl::OkStatus();
    }
    return absl::AbortedError(
        fmt::format("it wrote behind the {} bytes of {}", kSize, what));
  }

 private:
  alignas(
      std::max_align_t) std::array<char, kSize + kPluginGuardBytes> bytes_ = {};
};

// A struct of ours that a plug-in fills in, with a guard behind it. It begins
// with its size, which `initial` says.
template <typename Struct>
class GuardedStruct {
 public:
  explicit GuardedStruct(const Struct& initial)
      : value_(new (bytes_.data()) Struct(initial)) {}
  GuardedStruct(const GuardedStruct&) = delete;
  GuardedStruct& operator=(const GuardedStruct&) = delete;

  Struct* operator->() { return value_; }
  Struct* get() { return value_; }

  // Behind the call. ABORTED: it wrote behind it, or it says a size that can't
  // be. What is behind a smaller one's size becomes zero.
  absl::Status Check(std::string_view what) {
    const absl::Status guarded = CheckGuard(what);
    if (!guarded.ok()) return guarded;
    const uint32_t size = value_->struct_size;
    const absl::Status sized =
        CheckStructSize(what, size, kSizeAtFirst<Struct>, alignof(Struct));
    if (!sized.ok()) return absl::AbortedError(std::string(sized.message()));
    if (size < sizeof(Struct)) {
      std::memset(bytes_.data() + size, 0, sizeof(Struct) - size);
    }
    return absl::OkStatus();
  }

  // ABORTED: it wrote behind it, whatever is in it.
  absl::Status CheckGuard(std::string_view what) const {
    return bytes_.Check(what);
  }

 private:
  GuardedText<sizeof(Struct)> bytes_;
  Struct* const value_;
};

// What a plug-in writes its errors into.
class ForeignError {
 public:
  ForeignError();

  reprise_error* error() { return error_.get(); }

  // The status of a call of `name` that returned `code`. ABORTED: it wrote
  // behind what it was given to write into.
  absl::Status StatusOf(std::string_view name, int32_t code) const;

 private:
  GuardedText<1024> text_;
  GuardedStruct<reprise_error> error_;
};

// Which call of which plug-in is under way on a thread.
struct ForeignPlace {
  const char* plugin = nullptr;  // null: none
  std::string_view call;
  Tick tick = 0;
};

// Of the thread that asks; a handler of signals may.
const ForeignPlace& CurrentForeignPlace();

// What plug-in calls belong to from now on, on this thread, as long as this
// lives. `plugin` must remain live, too.
class [[nodiscard]] ForeignPlaceScope {
 public:
  ForeignPlaceScope(const char* plugin, Tick tick);
  ~ForeignPlaceScope();
  ForeignPlaceScope(const ForeignPlaceScope&) = delete;
  ForeignPlaceScope& operator=(const ForeignPlaceScope&) = delete;

 private:
  const ForeignPlace outer_;
};

// The call that is under way within the place.
class [[nodiscard]] ForeignCallScope {
 public:
  explicit ForeignCallScope(std::string_view call);
  ~ForeignCallScope();
  ForeignCallScope(const ForeignCallScope&) = delete;
  ForeignCallScope& operator=(const ForeignCallScope&) = delete;
};

// Whether a crash within a plug-in's call ends the call with an error, and not
// the process. Who asks for that has nothing left to do but to keep what there
// is, and to end: memory may be anything. Not until somebody does.
void CatchForeignCrashes(bool is_wanted);

// For the handler of the signals of a crash: goes on behind the plug-in's call
// that crashed, and doesn't return, where that is wanted.
void ReturnFromForeignCrash(int signal_number);

// Code of ours within a plug-in's call, as long as this lives: a crash then
// ends the process, as there are more frames than the plug-in's to leave.
class [[nodiscard]] OwnCodeScope {
 public:
  OwnCodeScope();
  ~OwnCodeScope();
  OwnCodeScope(const OwnCodeScope&) = delete;
  OwnCodeScope& operator=(const OwnCodeScope&) = delete;

 private:
  void* const way_back_;
};

// Calls `call` with `closure`, and returns 0 or the number of the signal that
// ended it.
int CallUntilCrash(void (*call)(const void* closure), const void* closure);

// Calls `call` of a plug-in. ABORTED: what it throws, though nothing may be
// thrown across the interface (a library in C is ended by that instead), or
// that it crashed, where that is caught.
template <typename Call>
absl::Status CallForeign(std::string_view name, const Call& call) {
  const ForeignCallScope scope(name);
  int crash = 0;
  try {  // determinism: it ends the run
    crash = CallUntilCrash(
        [](const void* closure) { (*static_cast<const Call*>(closure))(); },
        &call);
  } catch (const std::exception& error) {  // determinism: as above
    return absl::AbortedError(
        fmt::format("{}: it throws: {}", name, error.what()));
  } catch (...) {  // determinism: as above
    return absl::AbortedError(fmt::format("{}: it throws", name));
  }
  if (crash == 0) return absl::OkStatus();
  return absl::AbortedError(fmt::format("{}: it crashes, signal {} ({})", name,
                                        crash, strsignal(crash)));
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_FOREIGN_CALL_H_
