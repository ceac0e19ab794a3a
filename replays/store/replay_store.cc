// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/store/replay_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>

#include "absl/strings/ascii.h"
#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "replays/container/mcap_reader.h"
#include "replays/container/mcap_records.h"
#include "replays/container/named_error.h"
#include "replays/container/partial_file.h"
#include "replays/format/replay_reader.h"
#include "replays/format/whole_replay.h"
#include "replays/store/hash_content.h"
#include "replays/store/recording_names.h"
#include "replays/store/sqlite_catalogue.h"
#include "sim/base/content_digest.h"

namespace reprise::replays {
namespace {

namespace fs = std::filesystem;

constexpr size_t kDigestDigits = 64;

bool IsDigestPrefix(std::string_view prefix) {
  return !prefix.empty() && prefix.size() <= kDigestDigits &&
         std::ranges::all_of(prefix, [](char character) {
           return absl::ascii_isdigit(static_cast<unsigned char>(character)) ||
                  (character >= 'a' && character <= 'f');
         });
}

// The tags in the order of a row.
absl::StatusOr<std::vector<std::string>> NormaliseTags(
    std::vector<std::string> tags) {
  for (const std::string& tag : tags) {
    const absl::Status status = ValidateTag(tag);
    if (!status.ok()) return status;
  }
  std::ranges::sort(tags);
  tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
  if (tags.size() > kTagsMax) {
    return absl::InvalidArgumentError(
        fmt::format("{} tags are more than {}", tags.size(), kTagsMax));
  }
  return tags;
}

// As a file does whose recorder came to its end.
absl::StatusOr<bool> EndsWithMagic(const ByteSource& source) {
  if (source.size() < kMcapMagic.size()) return false;
  std::array<std::byte, kMcapMagic.size()> end;
  const absl::Status status =
      source.ReadAt(source.size() - kMcapMagic.size(), end);
  if (!status.ok()) return status;
  return end == kMcapMagic;
}

absl::Status RemoveName(const std::string& path) {
  if (unlink(path.c_str()) == 0 || errno == ENOENT) return absl::OkStatus();
  return absl::UnavailableError(
      fmt::format("{}: {}", path, std::generic_category().message(errno)));
}

// The microsecond that a catalogue keeps.
absl::Time Truncate(absl::Time time) {
  return absl::FromUnixMicros(absl::ToUnixMicros(time));
}

}  // namespace

absl::StatusOr<std::unique_ptr<ReplayStore>> ReplayStore::Open(
    const std::string& folder, const CatalogueOpener& open_catalogue,
    absl::Duration wait_max) {
  absl::StatusOr<StoreFiles> files = StoreFiles::Open(folder, wait_max);
  if (!files.ok()) return files.status();
  const auto lock = files->Lock();
  if (!lock.ok()) return lock.status();
  absl::StatusOr<std::unique_ptr<Catalogue>> catalogue = open_catalogue(folder);
  if (!catalogue.ok()) return catalogue.status();
  return std::unique_ptr<ReplayStore>(
      new ReplayStore(*std::move(files), *std::move(catalogue)));
}

absl::StatusOr<std::unique_ptr<ReplayStore>> ReplayStore::Open(
    const std::string& folder, absl::Duration wait_max) {
  const auto open_catalogue = [wait_max](const std::string& opened) {
    return SqliteCatalogue::Open(fmt::format("{}/catalogue.sqlite", opened),
                                 wait_max);
  };
  return Open(folder, open_catalogue, wait_max);
}

absl::StatusOr<ReplayStore::Added> ReplayStore::Add(const std::string& path,
                                                    const AddOptions& options) {
  absl::StatusOr<std::vector<std::string>> tags = NormaliseTags(options.tags);
  if (!tags.ok()) return tags.status();
  const auto incoming = files_.Receive(path);
  if (!incoming.ok()) return incoming.status();
  // What is looked at is what is kept, even if the file at `path` changes.
  auto source = FileSource::Open((*incoming)->path());
  if (!source.ok()) return source.status();
  const uint64_t size_bytes = (*source)->size();
  absl::StatusOr<StoredReplay> replay = ReadWholeReplay(*std::move(source));
  if (!replay.ok()) return NamedError(path, replay.status());
  replay->size_bytes = size_bytes;
  replay->name = fs::path(path).filename().string();
  replay->recorded_at = Truncate(options.recorded_at);
  replay->added_at = Truncate(options.now);
  replay->tags = *std::move(tags);

  const auto lock = files_.Lock();
  if (!lock.ok()) return lock.status();
  const absl::StatusOr<bool> is_named =
      files_.Name(**incoming, replay->recorded_at);
  if (!is_named.ok()) return is_named.status();
  replay->digest = (*incoming)->digest();
  const absl::Status taken_over =
      TakeOverRow((*incoming)->old_digest(), *replay);
  if (!taken_over.ok()) return taken_over;
  absl::StatusOr<Added> added = Register(*replay);
  if (!added.ok() && *is_named) {
    // Should that fail too, CheckStore finds the file.
    static_cast<void>(files_.Remove(replay->digest));
  }
  return added;
}

absl::Status ReplayStore::TakeInNew(
    absl::Time now, absl::FunctionRef<void(const absl::Status&)> report) {
  const auto paths = ListNewRecordings(files_.folder());
  if (!paths.ok()) return paths.status();
  for (const std::string& path : *paths) {
    const absl::Status status = TakeIn(path, now);
    if (!status.ok()) report(status);
  }
  return absl::OkStatus();
}

absl::Status ReplayStore::TakeIn(const std::string& path, absl::Time now) {
  auto source = FileSource::Open(path);
  // Somebody has removed it meanwhile.
  if (absl::IsNotFound(source.status())) return absl::OkStatus();
  if (!source.ok()) return source.status();
  sim::ContentHasher hasher;
  sim::ContentHasher old_hasher(sim::ContentHash::kXxh3);
  const absl::Status hashed =
      ReadContent(**source, [&](std::span<const std::byte> piece) {
        hasher.Append(piece);
        old_hasher.Append(piece);
        return absl::OkStatus();
      });
  if (!hashed.ok()) return NamedError(path, hashed);
  const uint64_t size_bytes = (*source)->size();
  absl::StatusOr<StoredReplay> replay = ReadWholeReplay(*std::move(source));
  if (!replay.ok()) return NamedError(path, replay.status());
  const absl::StatusOr<absl::Time> recorded_at = files_.RecordedAt(path);
  if (!recorded_at.ok()) return recorded_at.status();
  replay->size_bytes = size_bytes;
  replay->name = fs::path(path).lexically_relative(files_.folder()).string();
  replay->recorded_at = Truncate(*recorded_at);
  replay->added_at = Truncate(now);

  const auto lock = files_.Lock();
  if (!lock.ok()) return lock.status();
  std::error_code error;
  if (!fs::exists(path, error)) return absl::OkStatus();
  const absl::StatusOr<sim::ContentDigest> identity =
      files_.Identify(path, hasher.digest(), old_hasher.digest());
  if (!identity.ok()) return identity.status();
  replay->digest = *identity;
  const absl::Status taken_over = TakeOverRow(old_hasher.digest(), *replay);
  if (!taken_over.ok()) return taken_over;
  // Before its second name, by which it is known as taken in: a process that
  // dies in between leaves it to the next one.
  const absl::StatusOr<Added> added = Register(*replay);
  if (!added.ok()) return added.status();
  const absl::Status status = files_.Link(path, *identity).status();
  // Nor may there be a row of what has no file.
  if (!status.ok() && added->is_new) {
    static_cast<void>(catalogue_->Erase(*identity));
  }
  return status;
}

absl::Status ReplayStore::TakeOverRow(const sim::ContentDigest& old_digest,
                                      StoredReplay& replay) {
  std::error_code ignored;
  if (replay.digest == old_digest ||
      fs::exists(files_.PathOf(old_digest), ignored)) {
    return absl::OkStatus();
  }
  const absl::StatusOr<StoredReplay> row = catalogue_->Find(old_digest);
  if (absl::IsNotFound(row.status())) return absl::OkStatus();
  if (!row.ok()) return row.status();
  if (row->size_bytes != replay.size_bytes) return absl::OkStatus();
  std::vector<std::string> tags = replay.tags;
  tags.insert(tags.end(), row->tags.begin(), row->tags.end());
  std::ranges::sort(tags);
  tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
  tags.resize(std::min(tags.size(), kTagsMax));
  replay.tags = std::move(tags);
  return catalogue_->Erase(old_digest);
}

absl::StatusOr<ReplayStore::Added> ReplayStore::Register(
    const StoredReplay& replay) {
  absl::Status status = catalogue_->Insert(replay);
  if (status.ok()) return Added{.replay = replay, .is_new = true};
  if (!absl::IsAlreadyExists(status)) return status;
  status = catalogue_->ChangeTags(replay.digest, replay.tags, {});
  if (!status.ok()) return status;
  absl::StatusOr<StoredReplay> known = catalogue_->Find(replay.digest);
  if (!known.ok()) return known.status();
  return Added{.replay = *std::move(known), .is_new = false};
}

absl::StatusOr<StoredReplay> ReplayStore::Resolve(
    std::string_view prefix) const {
  if (!IsDigestPrefix(prefix)) {
    return absl::InvalidArgumentError(fmt::format(
        "'{}' is no digest of a replay, nor the beginning of one: up to {} "
        "lower-case hexadecimal digits",
        prefix, kDigestDigits));
  }
  absl::StatusOr<std::vector<StoredReplay>> found =
      catalogue_->FindByPrefix(prefix, /*limit=*/2);
  if (!found.ok()) return found.status();
  if (found->empty()) {
    return absl::NotFoundError(
        fmt::format("{}: has no replay {}", files_.folder(), prefix));
  }
  if (found->size() > 1) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: several replays begin with {}, among them {} and {}",
        files_.folder(), prefix, sim::FormatDigest(found->front().digest),
        sim::FormatDigest(found->back().digest)));
  }
  return std::move(found->front());
}

absl::Status ReplayStore::Remove(const sim::ContentDigest& digest) {
  const auto lock = files_.Lock();
  if (!lock.ok()) return lock.status();
  const absl::Status status = catalogue_->Erase(digest);
  if (!status.ok()) return status;
  return files_.Remove(digest);
}

absl::Status ReplayStore::RemoveRecording(const std::string& path,
                                          StoredFileIndex& files) {
  const auto lock = files_.Lock();
  if (!lock.ok()) return lock.status();
  const auto digest = files.DigestOf(path);
  if (!digest.ok()) return digest.status();
  if (!digest->has_value()) return RemoveName(path);
  auto others = ListRecordingNames(files_.folder(), path);
  if (!others.ok()) return others.status();
  std::erase_if(*others, [&path](const std::string& name) {
    return fs::path(name).lexically_normal() ==
           fs::path(path).lexically_normal();
  });
  const auto name_in_store = [this](const std::string& name) {
    return fs::path(name).lexically_relative(files_.folder()).string();
  };
  const auto replay = catalogue_->Find(**digest);
  if (!replay.ok() && !absl::IsNotFound(replay.status())) {
    return replay.status();
  }
  const bool was_added = replay.ok() && !replay->name.starts_with(fmt::format(
                                            "{}/", kRecordingsFolder));
  if (others->empty() && !was_added) {
    if (replay.ok()) {
      const absl::Status status = catalogue_->Erase(**digest);
      if (!status.ok()) return status;
    }
    return files_.Remove(**digest);
  }
  if (replay.ok() && !others->empty() && replay->name == name_in_store(path)) {
    const absl::Status status =
        catalogue_->Rename(**digest, name_in_store(others->front()));
    if (!status.ok()) return status;
  }
  return RemoveName(path);
}

absl::Status ReplayStore::CopyTo(const sim::ContentDigest& digest,
                                 const std::string& path) const {
  const std::string stored = files_.PathOf(digest);
  const auto source = FileSource::Open(stored);
  if (!source.ok()) return source.status();
  const int created =
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (created < 0) return absl::ErrnoToStatus(errno, path);
  close(created);
  // Under a name that no recorder has.
  const std::string partial = PartialPath(fmt::format("{}.{}", path, getpid()));
  bool is_created = false;
  absl::Status written;
  absl::StatusOr<sim::ContentDigest> copied = sim::ContentDigest();
  {
    const auto sink = FileSink::Create(partial);
    written = sink.status();
    is_created = sink.ok();
    if (is_created) {
      copied = HashContent(
          **source,
          [&](std::span<const std::byte> piece) {
            written = (*sink)->Append(piece);
            return written;
          },
          digest.hash);
    }
  }
  absl::Status status = copied.status();
  if (status.ok() && *copied != digest) {
    status = absl::DataLossError(
        fmt::format("{}: has been changed since it was added", stored));
  }
  if (!written.ok()) {
    status = absl::UnavailableError(std::string(written.message()));
  }
  std::error_code error;
  if (status.ok()) fs::rename(partial, path, error);
  if (error) {
    status =
        absl::UnavailableError(fmt::format("{}: {}", path, error.message()));
  }
  if (!status.ok()) {
    if (is_created) unlink(partial.c_str());
    unlink(path.c_str());
  }
  return status;
}

absl::StatusOr<StoredReplay> ReadWholeReplay(
    std::unique_ptr<const ByteSource> source) {
  const auto replay = ReplayReader::Open(std::move(source));
  if (!replay.ok()) return replay.status();
  const McapReader& file = (*replay)->file();
  const absl::StatusOr<bool> was_ended = EndsWithMagic(file.source());
  if (!was_ended.ok()) return was_ended.status();
  // What was cut off was read from its front to be opened. A file that its
  // recorder ended is whole, or damaged.
  if (*was_ended && file.recovery()) return file.VerifyWholeFile();
  const absl::StatusOr<WholeReplay> whole =
      CheckWholeReplay(**replay, [] { return absl::OkStatus(); });
  if (!whole.ok()) return whole.status();
  if (const auto wrong_count = FindWrongEventCount(**replay, *whole)) {
    return absl::DataLossError(*wrong_count);
  }
  return DescribeReplay(**replay);
}

}  // namespace reprise::replays
