// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A main() for fuzzers in ordinary builds: runs LLVMFuzzerTestOneInput over the
// files and folders named on the command line, then over a fixed number of
// deterministic mutations of them. An input that crashes is left as a file.
//
// usage: x_fuzz [--mutations=N] [--seed=N] [FILE|FOLDER]...

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tools/bazel/fuzz_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Of the sanitizers' runtime; absent in builds without one.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(
    void (*callback)());

namespace reprise::tools {
namespace {

using Input = FuzzMutator::Input;

// Long enough for every format read here to have several records.
constexpr size_t kInputBytesMax = size_t{1} << 16;

// The input that runs now, for the handler of a crash.
const Input* running_input = nullptr;
std::string crash_path;

// Leaves the input that runs as a file. Calls only what a signal handler may.
void SaveRunningInput() {
  if (running_input == nullptr) return;
  const int file =
      open(crash_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return;
  constexpr std::string_view kMessage = "The input that crashed is kept: ";
  bool saved = write(file, running_input->data(), running_input->size()) >= 0;
  saved = write(STDERR_FILENO, kMessage.data(), kMessage.size()) >= 0 && saved;
  saved = write(STDERR_FILENO, crash_path.data(), crash_path.size()) >= 0 &&
          write(STDERR_FILENO, "\n", 1) >= 0 && saved;
  close(file);
  running_input = nullptr;
}

void HandleCrash(int signal_number) {
  SaveRunningInput();
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

void WatchForCrashes() {
  const char* folder = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  crash_path =
      folder == nullptr ? "crash_input" : std::string(folder) + "/crash_input";
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(&SaveRunningInput);
  }
  for (int number : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV}) {
    std::signal(number, &HandleCrash);
  }
}

void RunInput(const Input& input) {
  running_input = &input;
  LLVMFuzzerTestOneInput(input.data(), input.size());
  running_input = nullptr;
}

Input ReadInput(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
    std::exit(2);
  }
  return Input(std::istreambuf_iterator<char>(file), {});
}

// Returns the files at and below `path`, sorted, so that every run mutates the
// same corpus in the same order.
std::vector<std::filesystem::path> ListFiles(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(path)) {
    if (!entry.is_directory()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

int Run(const std::vector<std::string>& arguments) {
  uint64_t mutations = 0;
  uint64_t seed = 1;
  std::vector<Input> corpus;
  for (const std::string& argument : arguments) {
    if (argument.starts_with("--mutations=")) {
      mutations = std::strtoull(argument.c_str() + 12, nullptr, 10);
    } else if (argument.starts_with("--seed=")) {
      seed = std::strtoull(argument.c_str() + 7, nullptr, 10);
    } else {
      for (const auto& file : ListFiles(argument)) {
        corpus.push_back(ReadInput(file));
      }
    }
  }
  WatchForCrashes();
  for (const Input& input : corpus) RunInput(input);
  const size_t files = corpus.size();
  corpus.emplace_back();
  FuzzMutator mutator(std::move(corpus), kInputBytesMax, seed);
  for (uint64_t i = 0; i < mutations; ++i) RunInput(mutator.Next());
  std::printf("%zu inputs and %llu mutations of them ran\n", files,
              static_cast<unsigned long long>(mutations));
  return 0;
}

}  // namespace
}  // namespace reprise::tools

int main(int argc, char** argv) {
  return reprise::tools::Run({argv + 1, argv + argc});
}
