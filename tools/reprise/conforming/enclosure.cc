// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/conforming/enclosure.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>
#include <system_error>
#include <vector>

#include "fmt/format.h"

namespace reprise::tools {
namespace {

// Which argument of a call is a path; none.
constexpr int kNoPath = -1;

struct RefusedCall {
  uint32_t number;
  std::string_view kind;
  std::string_view what;
  int path = kNoPath;
};

constexpr auto kRefused = std::to_array<RefusedCall>({
  {SYS_clone, "thread", "it starts a thread or process"},
      {SYS_clone3, "thread", "it starts a thread or process"},
      {SYS_execve, "thread", "it becomes another program"},
      {SYS_openat, "file", "it opens", 1}, {SYS_openat2, "file", "it opens", 1},
      {SYS_getrandom, "chance", "it asks the system for random numbers"},
      {SYS_clock_gettime, "clock", "it asks for the time"},
      {SYS_gettimeofday, "clock", "it asks for the time"},
      {SYS_nanosleep, "clock", "it waits for a time"},
      {SYS_clock_nanosleep, "clock", "it waits for a time"},
      {SYS_socket, "net", "it opens a socket"},
      {SYS_connect, "net", "it connects to somebody"},
#if defined(__x86_64__)
      {SYS_fork, "thread", "it starts a process"},
      {SYS_vfork, "thread", "it starts a process"},
      {SYS_open, "file", "it opens", 0}, {SYS_creat, "file", "it makes", 0},
      {SYS_time, "clock", "it asks for the time"},
#endif
});

constexpr size_t kPathBytes = 256;

// Written by the handler, which may not allocate.
std::atomic<const RefusedCall*> first_call = nullptr;
std::array<char, kPathBytes> first_path = {};

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;

uint64_t ArgumentOf(const ucontext_t& context, int index) {
  return static_cast<uint64_t>(
      context.uc_mcontext.gregs[index == 0 ? REG_RDI : REG_RSI]);
}
void SetResult(ucontext_t& context, int64_t result) {
  context.uc_mcontext.gregs[REG_RAX] = result;
}
#else
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;

uint64_t ArgumentOf(const ucontext_t& context, int index) {
  return context.uc_mcontext.regs[index];
}
void SetResult(ucontext_t& context, int64_t result) {
  context.uc_mcontext.regs[0] = static_cast<uint64_t>(result);
}
#endif

void OnRefusedCall(int, siginfo_t* info, void* context) {
  auto& registers = *static_cast<ucontext_t*>(context);
  const auto number = static_cast<uint32_t>(info->si_syscall);
  for (const RefusedCall& call : kRefused) {
    if (call.number != number) continue;
    const RefusedCall* none = nullptr;
    if (first_call.compare_exchange_strong(none, &call) &&
        call.path != kNoPath) {
      const auto* const path =
          reinterpret_cast<const char*>(ArgumentOf(registers, call.path));
      if (path != nullptr) {
        std::strncpy(first_path.data(), path, kPathBytes - 1);
      }
    }
  }
  SetResult(registers, -EAGAIN);
}

}  // namespace

absl::Status Enclose() {
  struct sigaction action = {};
  action.sa_sigaction = &OnRefusedCall;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSYS, &action, nullptr);
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const RefusedCall& call : kRefused) {
    filter.insert(filter.end(),
                  {BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call.number, 0, 1),
                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP)});
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program = {.len = static_cast<unsigned short>(filter.size()),
                              .filter = filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    return absl::UnavailableError(
        fmt::format("this system encloses no process: {}",
                    std::generic_category().message(errno)));
  }
  return absl::OkStatus();
}

std::optional<EnclosedCall> FirstEnclosedCall() {
  const RefusedCall* const call = first_call.load();
  if (call == nullptr) return std::nullopt;
  return EnclosedCall{
      .kind = call->kind,
      .what = call->path == kNoPath
                  ? std::string(call->what)
                  : fmt::format("{} '{}'", call->what, first_path.data())};
}

}  // namespace reprise::tools
