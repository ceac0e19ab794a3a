// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/conforming/evidence.h"

#include <time.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include "sim/state/field_value.h"

namespace reprise::tools {
namespace {

// Below it nothing is mapped (vm.mmap_min_addr), and counts of things are.
constexpr uint64_t kAddressMin = 0x10000;

bool IsMapped(uint64_t address) {
  if (address < kAddressMin) return false;
  // Each line begins with "begin-end " in hexadecimal (proc(5)).
  std::ifstream maps("/proc/self/maps");
  uint64_t begin = 0;
  uint64_t end = 0;
  char dash = 0;
  while (maps >> std::hex >> begin >> dash >> end) {
    if (address >= begin && address < end) return true;
    maps.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return false;
}

double SecondsOf(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9;
}

// Whether it was the time within the last hour, of the day in any unit, or
// since the machine began in one in which that is a large number.
bool IsTime(double value) {
  constexpr double kAgeMax = 3600.0;
  constexpr double kLarge = 1e9;
  constexpr auto kUnits = std::to_array<double>({1.0, 1e3, 1e6, 1e9});
  for (const clockid_t clock : {CLOCK_REALTIME, CLOCK_MONOTONIC}) {
    const double now = SecondsOf(clock);
    for (const double unit : kUnits) {
      const double age = now - value / unit;
      if (age > -1.0 && age < kAgeMax && value > kLarge) return true;
    }
  }
  return false;
}

bool IsWhole(const sim::FieldValue& value) {
  return value.type == sim::ScalarType::kUint64 ||
         value.type == sim::ScalarType::kInt64 ||
         value.type == sim::ScalarType::kObject;
}

std::string_view KindOf(const sim::FieldValue& expected,
                        const sim::FieldValue& actual) {
  if (IsWhole(expected)) {
    if (IsMapped(expected.bits)) return "address";
    if (IsTime(static_cast<double>(expected.bits)) &&
        IsTime(static_cast<double>(actual.bits))) {
      return "clock";
    }
  } else if (expected.type == sim::ScalarType::kDouble &&
             IsTime(expected.AsDouble()) && IsTime(actual.AsDouble())) {
    return "clock";
  }
  return "";
}

}  // namespace

Evidence EvidenceOf(const replays::ConformanceFailure& failure) {
  for (const replays::ConformanceField& field : failure.fields) {
    if (!field.expected.has_value() || !field.actual.has_value()) continue;
    const std::string_view kind = KindOf(*field.expected, *field.actual);
    if (!kind.empty()) return {.kind = kind, .field = &field};
  }
  return {};
}

}  // namespace reprise::tools
