// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/conforming/surroundings.h"

#include <locale.h>
#include <sys/personality.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>
#include <utility>

#include "fmt/format.h"
#include "tools/reprise/conforming/comma_language.h"

namespace reprise::tools {
namespace {

constexpr auto kChecks = std::to_array<replays::ConformanceCheck>({
    {"again", "another process, more than a second later", ""},
    {"addresses", "another process, with memory at other addresses", ""},
    {"memory", "another process, whose memory is full of other bytes", ""},
    {"language", "another process, in a language that writes 1,5", ""},
    {"time zone", "another process, in another time zone", ""},
    {"environment", "another process, without the user's variables", ""},
    {"folder", "another process, in an empty folder", ""},
    {"processor", "another process, whose libm has no fused multiplication",
     ""},
    {"enclosed", "a process without threads, files, net, time and chance", ""},
});

// What memory is filled with before it is handed out, and when it is freed.
constexpr int kOtherByte = 165;

// glibc chooses its functions by what the processor says it has.
constexpr std::string_view kNoFusedMultiplication =
    "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA_Usable,-AVX2_Usable";

// Clocks of seconds have gone on.
constexpr std::chrono::milliseconds kLater{1100};

void Set(std::vector<std::string>& environment, std::string_view name,
         std::string_view value) {
  std::erase_if(environment, [&](const std::string& variable) {
    return variable.starts_with(fmt::format("{}=", name));
  });
  environment.push_back(fmt::format("{}={}", name, value));
}

// What a process needs to be itself: its libraries, ours, and sanitizers'.
bool IsNeeded(const std::string& variable) {
  const std::string_view name =
      std::string_view(variable).substr(0, variable.find('='));
  return name.starts_with("LD_") || name.starts_with("REPRISE_") ||
         name.ends_with("SAN_OPTIONS") || name == "GLIBC_TUNABLES" ||
         name == "PATH" || name == "TZ";
}

bool ProcessorFusesMultiplication() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("fma") != 0;
#else
  return false;
#endif
}

// Leaves memory in pieces, so that what is asked for one after another doesn't
// lie so: blocks of each size that malloc keeps, of which others stay in use.
void StirHeap() {
  static std::vector<std::unique_ptr<char[]>>& kept =
      *new std::vector<std::unique_ptr<char[]>>;
  constexpr size_t kBlocks = 4096;
  constexpr size_t kBytesMin = 16;
  constexpr size_t kBytesMax = 1024;
  std::vector<std::unique_ptr<char[]>> blocks;
  for (size_t i = 0; i < kBlocks; ++i) {
    // Sizes come in no order: the step and their number have no divisor.
    constexpr size_t kStep = 389;
    const size_t bytes = kBytesMin + i * kStep % (kBytesMax - kBytesMin);
    blocks.push_back(std::make_unique<char[]>(bytes));
  }
  for (size_t i = 0; i < kBlocks; ++i) {
    constexpr size_t kStep = 1021;  // a prime: each once, far from the last
    std::unique_ptr<char[]>& block = blocks[i * kStep % kBlocks];
    if (i % 3 == 0) {
      kept.push_back(std::move(block));
    } else {
      block.reset();
    }
  }
}

// Fills what the stack below has with another byte.
[[gnu::noinline]] void StirStack() {
  constexpr size_t kBytes = size_t{256} << 10;
  std::array<char, kBytes> bytes;
  volatile char* const place = bytes.data();
  for (size_t i = 0; i < kBytes; ++i) place[i] = static_cast<char>(kOtherByte);
}

}  // namespace

std::span<const replays::ConformanceCheck> SurroundingsChecks() {
  return kChecks;
}

Surroundings PresentSurroundings() {
  Surroundings result;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    result.environment.emplace_back(*variable);
  }
  // Of the length that "memory" has: it is to have the same addresses.
  Set(result.environment, "MALLOC_PERTURB_", "000");
  return result;
}

Surroundings SurroundingsOf(std::string_view name, const std::string& folder) {
  Surroundings result = PresentSurroundings();
  std::vector<std::string>& environment = result.environment;
  if (name == "addresses") result.has_other_addresses = true;
  if (name == "memory") {
    Set(environment, "MALLOC_PERTURB_", std::to_string(kOtherByte));
  }
  if (name == "language") {
    std::erase_if(environment, [](const std::string& variable) {
      return variable.starts_with("LC_");
    });
    Set(environment, "LANG", "C");  // where LOCPATH hides others
    Set(environment, "LOCPATH", folder);
    Set(environment, "LC_NUMERIC", kCommaLanguage);
  }
  if (name == "time zone") {
    Set(environment, "TZ", "REPRISE-05:45");  // ahead, as Kathmandu is
  }
  if (name == "environment") {
    std::erase_if(environment, [](const std::string& variable) {
      return !IsNeeded(variable);
    });
    Set(environment, "HOME", "/nonexistent");
    Set(environment, "USER", "nobody");
  }
  if (name == "folder") result.folder = folder;
  if (name == "processor") {
    const char* const tunables = std::getenv("GLIBC_TUNABLES");
    Set(environment, "GLIBC_TUNABLES",
        tunables == nullptr
            ? std::string(kNoFusedMultiplication)
            : fmt::format("{}:{}", tunables, kNoFusedMultiplication));
  }
  return result;
}

absl::Status EnterSurroundings(std::string_view name) {
  if (name == "again") std::this_thread::sleep_for(kLater);
  if (name == "addresses" && !AddressesAreFixed()) {
    return absl::UnavailableError(
        "here each process has other addresses: see what 'again' says");
  }
  if (name == "addresses") StirHeap();
  if (name == "language") {
    setlocale(LC_ALL, "");
    if (!HasCommaLanguage()) {
      return absl::UnavailableError(
          "the C library takes no language that it doesn't know");
    }
  }
  if (name == "processor" && !ProcessorFusesMultiplication()) {
    return absl::UnavailableError("this processor has none, either");
  }
  return absl::OkStatus();
}

void StirSurroundings(std::string_view name) {
  if (name == "memory") StirStack();
}

bool AddressesAreFixed() {
  // Whether a process may ask for it; nothing is changed.
  constexpr unsigned long kAsk = 0xffffffff;
  const int before = personality(kAsk);
  if (before < 0) return false;
  if ((before & ADDR_NO_RANDOMIZE) != 0) return true;
  const bool can =
      personality(static_cast<unsigned long>(before) | ADDR_NO_RANDOMIZE) >= 0;
  personality(static_cast<unsigned long>(before));
  return can;
}

}  // namespace reprise::tools
