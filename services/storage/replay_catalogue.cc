// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/storage/replay_catalogue.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/time/clock.h"
#include "fmt/format.h"
#include "replays/format/replay_reader.h"
#include "services/base/page.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "sim/base/content_digest.h"

namespace reprise::services {
namespace {

// What other processes are waited for. Who waits has other things to do.
constexpr absl::Duration kStoreWaitMax = absl::Seconds(1);

// Between a tenant and its tag; no tag of a client has it.
constexpr std::string_view kTenantEnd = "//";

// What tokens of pages begin with, which no id has: an id that somebody guesses
// is none.
constexpr std::string_view kTokenPrefix = "behind:";

// The id that the page before ended with; empty: there is none.
absl::StatusOr<std::string> ParsePageToken(std::string_view token) {
  if (token.empty()) return std::string();
  if (!token.starts_with(kTokenPrefix)) return PageTokenError();
  token.remove_prefix(kTokenPrefix.size());
  if (!IsValidId(token)) return PageTokenError();
  return std::string(token);
}

std::string MakePageToken(std::string_view id) {
  return id.empty() ? std::string() : fmt::format("{}{}", kTokenPrefix, id);
}

// What stands in front of the tenant's tags in the catalogue.
std::string PrefixOf(const Tenant& tenant) {
  if (tenant.name.empty()) return "";
  return fmt::format("{}{}", tenant.name, kTenantEnd);
}

absl::Status CheckTag(std::string_view tag) {
  if (replays::ValidateTag(tag).ok() && tag.size() <= kReplayTagBytesMax &&
      tag.find(kTenantEnd) == std::string_view::npos) {
    return absl::OkStatus();
  }
  return WithReason(
      absl::InvalidArgumentError(fmt::format(
          "'{}' is no tag: it has 1 to {} letters, digits and ._-/:, and "
          "never // ",
          tag.substr(0, kReplayTagBytesMax), kReplayTagBytesMax)),
      "TAG_REFUSED");
}

// The tags as the catalogue has them.
absl::StatusOr<std::vector<std::string>> ToStored(
    const Tenant& tenant, std::span<const std::string> tags) {
  if (tags.size() > replays::kTagsMax) {
    return WithReason(
        absl::InvalidArgumentError(fmt::format("{} tags are more than {}",
                                               tags.size(), replays::kTagsMax)),
        "TAG_REFUSED");
  }
  std::vector<std::string> stored;
  for (const std::string& tag : tags) {
    if (absl::Status valid = CheckTag(tag); !valid.ok()) return valid;
    stored.push_back(PrefixOf(tenant) + tag);
  }
  return stored;
}

// Those of the tenant, as it knows them.
std::vector<std::string> FromStored(const Tenant& tenant,
                                    std::span<const std::string> stored) {
  const std::string prefix = PrefixOf(tenant);
  std::vector<std::string> tags;
  for (const std::string& tag : stored) {
    if (!tag.starts_with(prefix)) continue;
    const std::string_view own = std::string_view(tag).substr(prefix.size());
    if (CheckTag(own).ok()) tags.emplace_back(own);
  }
  return tags;
}

bool HasText(const KnownReplay& known, std::string_view text) {
  const replays::StoredReplay& replay = known.replay;
  const auto has = [text](std::string_view value) {
    return absl::AsciiStrToLower(absl::string_view(value.data(), value.size()))
               .find(std::string(text)) != std::string::npos;
  };
  return has(known.id) || has(replay.pack) || has(replay.outcome_reason) ||
         has(replay.build) || std::ranges::any_of(replay.tags, has);
}

}  // namespace

bool ReplayQuery::is_empty() const {
  return text.empty() && !filter.pack.has_value() &&
         !filter.outcome.has_value() && !filter.tick_count_min.has_value() &&
         !filter.tick_count_max.has_value() && filter.tags.empty();
}

bool ReplayQuery::Matches(const KnownReplay& known) const {
  return is_empty() || (known.is_readable && filter.Matches(known.replay) &&
                        (text.empty() || HasText(known, text)));
}

absl::StatusOr<std::string> ParseReplayText(std::string_view text) {
  if (text.size() > kReplayTextBytesMax) {
    return WithReason(absl::InvalidArgumentError(
                          fmt::format("text of {} bytes is more than {}",
                                      text.size(), kReplayTextBytesMax)),
                      "SEARCH_REFUSED");
  }
  return absl::AsciiStrToLower(absl::string_view(text.data(), text.size()));
}

absl::StatusOr<KnownReplay> ReplayCatalogue::Get(const Tenant& tenant,
                                                 std::string_view id) const {
  const std::scoped_lock lock(mutex_);
  const auto store = Open();
  return Describe(tenant, id, store.ok() ? store->get() : nullptr);
}

absl::StatusOr<std::string> ReplayCatalogue::List(
    const Tenant& tenant, const ReplayQuery& query, int32_t page_size,
    std::string_view page_token,
    absl::FunctionRef<bool(const KnownReplay&)> visit) const {
  const auto count_max = ParsePageSize(page_size, kReplaysPerPageMax);
  if (!count_max.ok()) return count_max.status();
  for (const std::string& tag : query.filter.tags) {
    if (absl::Status valid = CheckTag(tag); !valid.ok()) return valid;
  }
  auto last_id = ParsePageToken(page_token);
  if (!last_id.ok()) return last_id.status();
  const std::scoped_lock lock(mutex_);
  const auto store = Open();
  if (!store.ok() && !query.is_empty()) return store.status();
  size_t visited = 0;
  for (size_t looked_at = 0; looked_at < kReplaysLookedAtMax;) {
    const auto page = replays_.List(
        tenant, query.is_empty() ? static_cast<int32_t>(*count_max) : 0,
        *last_id);
    if (!page.ok()) return page.status();
    for (const ReplayStore::Entry& entry : page->replays) {
      const auto known =
          Describe(tenant, entry.id, store.ok() ? store->get() : nullptr);
      ++looked_at;
      // It may have been deleted since.
      if (known.ok() && query.Matches(*known)) {
        if (!visit(*known)) return MakePageToken(*last_id);
        ++visited;
      }
      last_id = entry.id;
      if (visited == *count_max) break;
    }
    const bool was_last =
        page->next_page_token.empty() &&
        (page->replays.empty() || page->replays.back().id == *last_id);
    if (was_last) return std::string();
    if (visited == *count_max) break;
  }
  return MakePageToken(*last_id);
}

absl::Status ReplayCatalogue::Delete(const Tenant& tenant,
                                     std::string_view id) const {
  // Says why it isn't there, or can't be deleted.
  const auto source = replays_.OpenReplay(tenant, id);
  if (!source.ok()) return source.status();
  const std::scoped_lock lock(mutex_);
  const auto store = Open();
  if (!store.ok()) return store.status();
  const std::string path = replays_.PathOf(tenant, id);
  const auto digest = files_.DigestOf(path);
  const absl::Status removed = (*store)->RemoveRecording(path, files_);
  if (absl::IsNotFound(removed)) {
    return replays_.OpenReplay(tenant, id).status();
  }
  if (!removed.ok()) return Unavailable(removed);
  if (!digest.ok() || !digest->has_value()) return absl::OkStatus();
  // Others have the same bytes: what this tenant said of them goes.
  const auto rest = (*store)->catalogue().Find(**digest);
  if (!rest.ok() || !FindIdLocked(tenant, **digest).empty()) {
    return absl::OkStatus();
  }
  const auto tags = ToStored(tenant, FromStored(tenant, rest->tags));
  if (tags.ok() && !tenant.name.empty()) {
    (*store)->catalogue().ChangeTags(**digest, {}, *tags).IgnoreError();
  }
  return absl::OkStatus();
}

absl::StatusOr<KnownReplay> ReplayCatalogue::ChangeTags(
    const Tenant& tenant, std::string_view id,
    std::span<const std::string> added,
    std::span<const std::string> removed) const {
  const auto added_tags = ToStored(tenant, added);
  if (!added_tags.ok()) return added_tags.status();
  const auto removed_tags = ToStored(tenant, removed);
  if (!removed_tags.ok()) return removed_tags.status();
  // Says why it isn't there, or isn't finished.
  const auto source = replays_.OpenReplay(tenant, id);
  if (!source.ok()) return source.status();
  const std::scoped_lock lock(mutex_);
  const auto store = Open();
  if (!store.ok()) return store.status();
  const auto digest = DigestOf(tenant, id, **store);
  if (!digest.ok()) return digest.status();
  std::vector<std::string> kept_tags = *added_tags;
  std::erase_if(kept_tags, [&removed_tags](const std::string& tag) {
    return std::ranges::count(*removed_tags, tag) > 0;
  });
  const absl::Status changed =
      (*store)->catalogue().ChangeTags(*digest, kept_tags, *removed_tags);
  if (absl::IsResourceExhausted(changed)) {
    return WithReason(
        absl::ResourceExhaustedError(fmt::format(
            "replay '{}' would have more than {} tags", id, replays::kTagsMax)),
        "TOO_MANY_TAGS", {{"replay", MakeName(kReplays, id)}});
  }
  if (!changed.ok()) return Unavailable(changed);
  return Describe(tenant, id, store->get());
}

bool ReplayCatalogue::IsCatalogued(const Tenant& tenant,
                                   std::string_view id) const {
  const std::scoped_lock lock(mutex_);
  const auto digest = files_.DigestOf(replays_.PathOf(tenant, id));
  return digest.ok() && digest->has_value();
}

void ReplayCatalogue::TakeIn(const Tenant& tenant, std::string_view id) const {
  // Without the lock: it reads all of the file.
  const auto store = Open();
  if (!store.ok()) return;
  // What fails is tried again, and told, by ReplayStore::TakeIn.
  (*store)->TakeIn(replays_.PathOf(tenant, id), absl::Now()).IgnoreError();
}

std::string ReplayCatalogue::FindId(const Tenant& tenant,
                                    const sim::ContentDigest& digest) const {
  const std::scoped_lock lock(mutex_);
  return FindIdLocked(tenant, digest);
}

std::string ReplayCatalogue::FindIdLocked(
    const Tenant& tenant, const sim::ContentDigest& digest) const {
  const std::string named =
      fmt::format("{}/{}.mcap", replays::StoreFiles::NamedFolder(store_),
                  sim::FormatDigest(digest));
  struct stat file = {};
  if (stat(named.c_str(), &file) != 0 || file.st_nlink == 1) return "";
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(replays_.PathOf(tenant, "x")).parent_path();
  std::error_code error;
  for (fs::directory_iterator entry(folder, error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path& path = entry->path();
    struct stat other = {};
    if (path.extension() == ".mcap" && IsValidId(path.stem().string()) &&
        stat(path.c_str(), &other) == 0 && other.st_ino == file.st_ino &&
        other.st_dev == file.st_dev) {
      return path.stem().string();
    }
  }
  return "";
}

absl::StatusOr<std::unique_ptr<replays::ReplayStore>> ReplayCatalogue::Open()
    const {
  // Opened each time: somebody may put another catalogue there.
  auto store = replays::ReplayStore::Open(store_, kStoreWaitMax);
  if (!store.ok()) return Unavailable(store.status());
  return store;
}

absl::StatusOr<KnownReplay> ReplayCatalogue::Describe(
    const Tenant& tenant, std::string_view id,
    const replays::ReplayStore* store) const {
  auto source = replays_.OpenReplay(tenant, id);
  if (!source.ok()) return source.status();
  KnownReplay known;
  known.id = std::string(id);
  known.size_bytes = (*source)->size();
  if (store != nullptr) {
    const auto digest = files_.DigestOf(replays_.PathOf(tenant, id));
    if (digest.ok() && digest->has_value()) {
      auto row = store->catalogue().Find(**digest);
      if (row.ok()) {
        known.replay = *std::move(row);
        known.replay.tags = FromStored(tenant, known.replay.tags);
        known.is_catalogued = true;
        known.is_readable = true;
        return known;
      }
    }
  }
  const auto replay = replays::ReplayReader::Open(*std::move(source));
  if (replay.ok()) {
    known.replay = replays::DescribeReplay(**replay);
    known.replay.size_bytes = known.size_bytes;
    known.is_readable = true;
  }
  return known;
}

absl::StatusOr<sim::ContentDigest> ReplayCatalogue::DigestOf(
    const Tenant& tenant, std::string_view id,
    replays::ReplayStore& store) const {
  const std::string path = replays_.PathOf(tenant, id);
  for (const bool is_last : {false, true}) {
    const auto digest = files_.DigestOf(path);
    if (absl::IsNotFound(digest.status())) {
      absl::Status gone = replays_.OpenReplay(tenant, id).status();
      return gone.ok() ? Unavailable(digest.status()) : gone;
    }
    if (!digest.ok()) return Unavailable(digest.status());
    if (digest->has_value()) return **digest;
    if (is_last) break;
    const absl::Status taken = store.TakeIn(path, absl::Now());
    if (absl::IsUnavailable(taken)) return Unavailable(taken);
    if (!taken.ok()) break;
  }
  return WithReason(
      absl::FailedPreconditionError(fmt::format(
          "replay '{}' is damaged, so nothing can be said of it", id)),
      "REPLAY_DAMAGED", {{"replay", MakeName(kReplays, id)}});
}

absl::Status ReplayCatalogue::Unavailable(const absl::Status& status) const {
  LogEntry entry(
      fmt::format("the store's catalogue: {}", std::string(status.message())));
  entry.severity = LogEntry::Severity::kWarning;
  log_(entry);
  return WithReason(
      absl::UnavailableError("the store's catalogue can't be used now"),
      "CATALOGUE_UNAVAILABLE");
}

}  // namespace reprise::services
