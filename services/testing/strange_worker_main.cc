// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A worker that does what the variable STRANGE_WORKER says in the place of
// work, for tests of what becomes of its operation. Its words are those that
// `reprise` takes.

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

// Tells that it came so far.
void TellProgress(int ticks) {
  const std::string line =
      "{\"ticks_done\":" + std::to_string(ticks) + ",\"tick_count\":240}\n";
  const char* const descriptor = std::getenv("REPRISE_PROGRESS_TO");
  if (descriptor == nullptr) std::abort();
  [[maybe_unused]] const ssize_t written =
      write(std::atoi(descriptor), line.data(), line.size());
}

void TakeAllMemory() {
  std::vector<std::unique_ptr<std::vector<char>>> blocks;
  while (true) {
    blocks.push_back(std::make_unique<std::vector<char>>(1 << 20, 'x'));
  }
}

void FillDisk() {
  std::ofstream file("results/values.csv");
  const std::string piece(1 << 20, 'x');
  while (file << piece << std::flush) {
  }
  pause();
}

// What it is given and may do, as the file "seen.txt": each word, its user's
// descriptors, whether signals reach it.
void Look(int argc, char** argv) {
  std::ofstream file("results/seen.txt");
  for (int i = 0; i < argc; ++i) file << argv[i] << '\n';
  file << "descriptors:";
  for (int i = 0; i < 1024; ++i) {
    if (fcntl(i, F_GETFD) >= 0) file << ' ' << i;
  }
  sigset_t blocked;
  sigprocmask(SIG_BLOCK, nullptr, &blocked);
  file << "\nblocks SIGTERM: " << sigismember(&blocked, SIGTERM) << '\n';
  std::ifstream replay("replay.mcap", std::ios::binary);
  std::string magic(8, '\0');
  replay.read(magic.data(), 8);
  file << "replay: " << magic.substr(1, 4) << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const char* const name = std::getenv("STRANGE_WORKER");
  const std::string_view act = name == nullptr ? "" : name;
  TellProgress(120);
  if (act == "signal") raise(SIGSEGV);
  if (act == "exit") return 4;
  if (act == "silence") return 0;
  if (act == "hang") {
    while (true) pause();
  }
  if (act == "work") {
    for (int i = 0;; ++i) {
      TellProgress(i);
      usleep(1000);
    }
  }
  if (act == "memory") TakeAllMemory();
  if (act == "disk") FillDisk();
  if (act == "files") {
    for (int i = 0;; ++i) {
      std::ofstream("results/" + std::to_string(i % 6000) + ".png") << i;
      if (i % 100 == 0) TellProgress(i);
    }
  }
  if (act == "chatter") {
    while (true) std::puts("this worker is unwell");
  }
  if (act == "refuse") {
    std::cerr << "note: a note\nerror: replay.mcap: no such tick\n"
                 "reproduce: reprise x\n";
    return 2;
  }
  if (act == "links") {
    if (symlink("/etc/passwd", "results/a.csv") != 0) return 1;
    if (mkdir("results/b.csv", 0777) != 0) return 1;
    std::ofstream("results/.hidden.csv") << 1;
    std::ofstream("results/good.csv") << "0123456789";
    return 0;
  }
  if (act == "name") {
    std::cout << "{\"command\": \"run\", \"pack\": \"ours\"}";
    return 0;
  }
  if (act == "page") {
    std::ofstream("results/replay.html") << "<!DOCTYPE html>\nthe viewer\n";
    return 0;
  }
  if (act == "verify") {
    std::cout << "{\"files\": [{\"verdict\": \"verified\", \"summary\": \"s\", "
                 "\"ticks_verified\": 240, \"tick_count\": 240}]}";
    return 0;
  }
  Look(argc, argv);
  return 0;
}
