// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a token allows, and which call needs what: one table of all calls.

#ifndef REPRISE_SERVICES_BASE_SCOPE_H_
#define REPRISE_SERVICES_BASE_SCOPE_H_

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace reprise::services {

// Each allows what those before it allow, too.
enum class Scope {
  kObserve,  // to look
  kPlay,     // to have sessions, and to change one's own
  kManage,   // to change what the server keeps; no call is of this kind yet
};

inline constexpr std::array<std::string_view, 3> kScopeNames = {
    "observe", "play", "manage"};

constexpr std::string_view NameOf(Scope scope) {
  return kScopeNames[static_cast<size_t>(scope)];
}

// Nullopt: no scope is called so.
constexpr std::optional<Scope> ParseScope(std::string_view name) {
  const auto found = std::ranges::find(kScopeNames, name);
  if (found == kScopeNames.end()) return std::nullopt;
  return static_cast<Scope>(found - kScopeNames.begin());
}

struct CallScope {
  std::string_view call;
  Scope scope;
};

// All calls of all services. docs/server_calls.md has the same table.
inline constexpr auto kCallScopes = std::to_array<CallScope>({
    {"GetServerInfo", Scope::kObserve},
    {"ListPacks", Scope::kObserve},
    {"GetPack", Scope::kObserve},
    {"DescribePack", Scope::kObserve},
    {"GetSession", Scope::kObserve},
    {"ListSessions", Scope::kObserve},
    {"ListReplays", Scope::kObserve},
    {"DownloadReplay", Scope::kObserve},
    {"CreateSession", Scope::kPlay},
    {"DeleteSession", Scope::kPlay},
    {"StepSession", Scope::kPlay},
    {"Step", Scope::kPlay},
    {"ResetSession", Scope::kPlay},
    {"SnapshotSession", Scope::kPlay},
    {"DeleteSnapshot", Scope::kPlay},
    {"RestoreSession", Scope::kPlay},
    {"ForkSession", Scope::kPlay},
});

// Nullopt: the table lacks the call.
constexpr std::optional<Scope> ScopeOf(std::string_view call) {
  const auto found = std::ranges::find(kCallScopes, call, &CallScope::call);
  if (found == kCallScopes.end()) return std::nullopt;
  return found->scope;
}

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_SCOPE_H_
