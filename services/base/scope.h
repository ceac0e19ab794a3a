// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a token allows, and which call needs what: one table of all calls.

#ifndef REPRISE_SERVICES_BASE_SCOPE_H_
#define REPRISE_SERVICES_BASE_SCOPE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace reprise::services {

// Each allows what those before it allow, too.
enum class Scope {
  kObserve,  // to look
  kPlay,     // to have sessions, and to change one's own
  kManage,   // to change what the server keeps
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

// Which calls of a kind an audit log has.
enum class Audit {
  kRefused,  // those that weren't let in
  kAll,      // all: they change something, or take something out
};

struct CallScope {
  std::string_view call;
  Scope scope;
  Audit audit = Audit::kRefused;
};

// All calls of all services. docs/server_calls.md has the same table. A single
// Step, of which there may be thousands a second, is seen in what it leads to.
inline constexpr auto kCallScopes = std::to_array<CallScope>({
    {"GetServerInfo", Scope::kObserve},
    {"ListPacks", Scope::kObserve},
    {"GetPack", Scope::kObserve},
    {"DescribePack", Scope::kObserve},
    {"GetSession", Scope::kObserve},
    {"ListSessions", Scope::kObserve},
    {"GetReplay", Scope::kObserve},
    {"ListReplays", Scope::kObserve},
    {"DownloadReplay", Scope::kObserve, Audit::kAll},
    {"GetOperation", Scope::kObserve},
    {"ListOperations", Scope::kObserve},
    {"DownloadResult", Scope::kObserve, Audit::kAll},
    {"CreateSession", Scope::kPlay, Audit::kAll},
    {"DeleteSession", Scope::kPlay, Audit::kAll},
    {"StepSession", Scope::kPlay, Audit::kAll},
    {"StepSessions", Scope::kPlay, Audit::kAll},
    {"PlaySession", Scope::kPlay, Audit::kAll},
    {"Step", Scope::kPlay},
    {"ResetSession", Scope::kPlay, Audit::kAll},
    {"SnapshotSession", Scope::kPlay, Audit::kAll},
    {"DeleteSnapshot", Scope::kPlay, Audit::kAll},
    {"RestoreSession", Scope::kPlay, Audit::kAll},
    {"ForkSession", Scope::kPlay, Audit::kAll},
    {"VerifyReplay", Scope::kPlay, Audit::kAll},
    {"CompareReplays", Scope::kPlay, Audit::kAll},
    {"QueryReplay", Scope::kPlay, Audit::kAll},
    {"ExportReplay", Scope::kPlay, Audit::kAll},
    {"RenderReplay", Scope::kPlay, Audit::kAll},
    {"CancelOperation", Scope::kPlay, Audit::kAll},
    {"DeleteOperation", Scope::kPlay, Audit::kAll},
    {"DeleteReplay", Scope::kManage, Audit::kAll},
    {"UpdateReplayTags", Scope::kManage, Audit::kAll},
    {"GetUpload", Scope::kManage},
    {"UploadReplay", Scope::kManage, Audit::kAll},
    {"UploadPack", Scope::kManage, Audit::kAll},
    {"DeletePack", Scope::kManage, Audit::kAll},
});

// Nullopt: the table lacks the call.
constexpr std::optional<size_t> RowOf(std::string_view call) {
  const auto found = std::ranges::find(kCallScopes, call, &CallScope::call);
  if (found == kCallScopes.end()) return std::nullopt;
  return static_cast<size_t>(found - kCallScopes.begin());
}
constexpr std::optional<Scope> ScopeOf(std::string_view call) {
  const std::optional<size_t> row = RowOf(call);
  if (!row.has_value()) return std::nullopt;
  return kCallScopes[*row].scope;
}

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_SCOPE_H_
