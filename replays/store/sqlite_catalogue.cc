// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/store/sqlite_catalogue.h"

#include <cstdint>
#include <limits>

#include "absl/time/time.h"
#include "fmt/format.h"
#include "replays/store/journal_mode.h"
#include "sim/base/check.h"
#include "sim/base/content_digest.h"

namespace reprise::replays {
namespace {

// "RPRS": whose file it is, as `file` and SQLite's own tools show it.
constexpr int64_t kApplicationId = 0x52505253;

// Since version 1; version 2 has longer digests. A column says what README.md
// says; digests, and the seed, which has all 64 bits, are text.
constexpr char kCreateTables[] = R"sql(
CREATE TABLE replays (
  digest TEXT PRIMARY KEY,
  size_bytes INTEGER NOT NULL,
  name TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  added_at INTEGER NOT NULL,
  format_revision INTEGER NOT NULL,
  simulation TEXT NOT NULL,
  rules_revision INTEGER NOT NULL,
  pack TEXT NOT NULL,
  pack_digest TEXT NOT NULL,
  seed TEXT NOT NULL,
  tick_rate INTEGER NOT NULL,
  tick_count INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  outcome_reason TEXT NOT NULL,
  root TEXT NOT NULL,
  build TEXT NOT NULL,
  platform TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX replays_by_time ON replays (recorded_at DESC, digest);
CREATE INDEX replays_by_pack ON replays (pack, recorded_at DESC, digest);
CREATE TABLE tags (
  digest TEXT NOT NULL REFERENCES replays ON DELETE CASCADE,
  tag TEXT NOT NULL,
  PRIMARY KEY (digest, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_by_tag ON tags (tag, digest);
)sql";

constexpr std::string_view kColumns =
    "digest, size_bytes, name, recorded_at, added_at, format_revision, "
    "simulation, rules_revision, pack, pack_digest, seed, tick_rate, "
    "tick_count, outcome, outcome_reason, root, build, platform";

// Somebody may have changed them by hand. DATA_LOSS: a table or a column is
// missing.
absl::Status CheckTables(const SqliteConnection& connection) {
  for (const std::string& sql :
       {fmt::format("SELECT {} FROM replays", kColumns),
        std::string("SELECT digest, tag FROM tags")}) {
    const absl::Status status = connection.Prepare(sql).status();
    if (status.ok()) continue;
    return absl::DataLossError(fmt::format("{}, so it is no whole catalogue",
                                           std::string(status.message())));
  }
  return absl::OkStatus();
}

// Makes or takes over the tables, in one transaction.
absl::Status PrepareTables(const SqliteConnection& connection) {
  absl::StatusOr<SqliteTransaction> transaction =
      SqliteTransaction::Begin(&connection);
  if (!transaction.ok()) return transaction.status();
  const auto application = connection.QueryInteger("PRAGMA application_id");
  if (!application.ok()) return application.status();
  const auto version = connection.QueryInteger("PRAGMA user_version");
  if (!version.ok()) return version.status();
  const auto table_count =
      connection.QueryInteger("SELECT count(*) FROM sqlite_schema");
  if (!table_count.ok()) return table_count.status();

  const bool is_new = *application == 0 && *version == 0 && *table_count == 0;
  if (!is_new && *application != kApplicationId) {
    return absl::InvalidArgumentError(
        fmt::format("{}: isn't a catalogue of replays", connection.path()));
  }
  if (*version > kSqliteCatalogueVersion) {
    return absl::UnimplementedError(fmt::format(
        "{}: has version {} of a catalogue; this program knows them up to {}",
        connection.path(), *version, kSqliteCatalogueVersion));
  }
  if (!is_new) {
    absl::Status status = CheckTables(connection);
    // Programs that know version 1 alone have to leave it from now on.
    if (status.ok() && *version < kSqliteCatalogueVersion) {
      status = connection.Run(
          fmt::format("PRAGMA user_version = {};", kSqliteCatalogueVersion)
              .c_str());
      if (status.ok()) status = transaction->Commit();
    }
    return status;
  }
  const std::string create =
      fmt::format("{}PRAGMA application_id = {}; PRAGMA user_version = {};",
                  kCreateTables, kApplicationId, kSqliteCatalogueVersion);
  const absl::Status status = connection.Run(create.c_str());
  return status.ok() ? transaction->Commit() : status;
}

int64_t ToMicroseconds(absl::Time time) { return absl::ToUnixMicros(time); }

// SQLite's integers have a sign. What doesn't fit is more than there is.
int64_t ToInteger(uint64_t value) {
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(value < kMax ? value : kMax);
}

absl::Status NoSuchReplay(const SqliteConnection& connection,
                          std::string_view digest) {
  return absl::NotFoundError(
      fmt::format("{}: has no replay {}", connection.path(), digest));
}

// The row that the statement stands on. DATA_LOSS: it holds what nobody writes.
absl::StatusOr<StoredReplay> ReadRow(const SqliteStatement& row) {
  StoredReplay replay;
  const auto digest = sim::ParseContentDigest(row.Text(0));
  if (!digest.ok()) return digest.status();
  replay.digest = *digest;
  replay.size_bytes = static_cast<uint64_t>(row.Integer(1));
  replay.name = row.Text(2);
  replay.recorded_at = absl::FromUnixMicros(row.Integer(3));
  replay.added_at = absl::FromUnixMicros(row.Integer(4));
  replay.format_revision = static_cast<uint32_t>(row.Integer(5));
  replay.simulation = row.Text(6);
  replay.rules_revision = static_cast<uint32_t>(row.Integer(7));
  replay.pack = row.Text(8);
  const auto pack_digest = sim::ParseContentDigest(row.Text(9));
  if (!pack_digest.ok()) return pack_digest.status();
  replay.pack_digest = *pack_digest;
  const auto seed = sim::ParseDigest(row.Text(10));
  if (!seed.ok()) return seed.status();
  replay.seed = seed->value;
  replay.tick_rate = static_cast<uint32_t>(row.Integer(11));
  replay.tick_count = static_cast<uint64_t>(row.Integer(12));
  replay.outcome = row.Text(13);
  replay.outcome_reason = row.Text(14);
  const auto root = sim::ParseDigest(row.Text(15));
  if (!root.ok()) return root.status();
  replay.root = *root;
  replay.build = row.Text(16);
  replay.platform = row.Text(17);
  return replay;
}

// Gathers conditions and the values of their parameters, in one order.
class Conditions {
 public:
  void Add(std::string_view condition, int64_t value) {
    sql_ += fmt::format(" AND {}", condition);
    values_.push_back({value, "", false});
  }
  void Add(std::string_view condition, std::string text) {
    sql_ += fmt::format(" AND {}", condition);
    values_.push_back({0, std::move(text), true});
  }
  // A value without a condition.
  void AddValue(int64_t value) { values_.push_back({value, "", false}); }
  void AddValue(std::string text) {
    values_.push_back({0, std::move(text), true});
  }

  const std::string& sql() const { return sql_; }

  void BindTo(SqliteStatement& statement) const {
    int index = 0;
    for (const Value& value : values_) {
      if (value.is_text) {
        statement.Bind(++index, std::string_view(value.text));
      } else {
        statement.Bind(++index, value.integer);
      }
    }
  }

 private:
  struct Value {
    int64_t integer;
    std::string text;
    bool is_text;
  };

  std::string sql_;
  std::vector<Value> values_;
};

Conditions ConditionsOf(const StoredReplayFilter& filter) {
  Conditions all;
  if (filter.pack) all.Add("pack = ?", *filter.pack);
  if (filter.outcome) all.Add("outcome = ?", *filter.outcome);
  if (filter.tick_count_min) {
    all.Add("tick_count >= ?", ToInteger(*filter.tick_count_min));
  }
  if (filter.tick_count_max) {
    all.Add("tick_count <= ?", ToInteger(*filter.tick_count_max));
  }
  if (filter.build) all.Add("instr(build, ?) > 0", *filter.build);
  if (filter.name) all.Add("instr(name, ?) > 0", *filter.name);
  if (filter.recorded_from) {
    all.Add("recorded_at >= ?", ToMicroseconds(*filter.recorded_from));
  }
  if (filter.recorded_before) {
    all.Add("recorded_at < ?", ToMicroseconds(*filter.recorded_before));
  }
  for (const std::string& tag : filter.tags) {
    all.Add("digest IN (SELECT digest FROM tags WHERE tag = ?)", tag);
  }
  return all;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Catalogue>> SqliteCatalogue::Open(
    const std::string& path, absl::Duration wait_max) {
  absl::StatusOr<SqliteConnection> connection =
      SqliteConnection::Open(path, wait_max);
  if (!connection.ok()) return connection.status();
  absl::Status status = connection->Run(
      // A commit outlives a power cut, as the files do.
      "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; "
      "PRAGMA cell_size_check = ON");
  if (!status.ok()) return status;
  status = PrepareTables(*connection);
  if (!status.ok()) return status;
  // Readers don't wait for a writer, where that can be.
  status = SetJournalMode(*connection);
  if (!status.ok()) return status;
  return std::unique_ptr<Catalogue>(
      new SqliteCatalogue(*std::move(connection)));
}

absl::Status SqliteCatalogue::Insert(const StoredReplay& replay) {
  absl::StatusOr<SqliteTransaction> transaction =
      SqliteTransaction::Begin(&connection_);
  if (!transaction.ok()) return transaction.status();
  absl::StatusOr<SqliteStatement> insert = connection_.Prepare(
      fmt::format("INSERT INTO replays ({}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, "
                  "?, ?, ?, ?, ?, ?, ?, ?, ?)",
                  kColumns));
  if (!insert.ok()) return insert.status();
  const std::string digest = sim::FormatDigest(replay.digest);
  insert->Bind(1, digest)
      .Bind(2, ToInteger(replay.size_bytes))
      .Bind(3, replay.name)
      .Bind(4, ToMicroseconds(replay.recorded_at))
      .Bind(5, ToMicroseconds(replay.added_at))
      .Bind(6, int64_t{replay.format_revision})
      .Bind(7, replay.simulation)
      .Bind(8, int64_t{replay.rules_revision})
      .Bind(9, replay.pack)
      .Bind(10, sim::FormatDigest(replay.pack_digest))
      .Bind(11, sim::FormatDigest(sim::Digest{replay.seed}))
      .Bind(12, int64_t{replay.tick_rate})
      .Bind(13, ToInteger(replay.tick_count))
      .Bind(14, replay.outcome)
      .Bind(15, replay.outcome_reason)
      .Bind(16, sim::FormatDigest(replay.root))
      .Bind(17, replay.build)
      .Bind(18, replay.platform);
  absl::Status status = insert->Run();
  if (absl::IsAlreadyExists(status)) {
    return absl::AlreadyExistsError(
        fmt::format("{}: has replay {} already", connection_.path(), digest));
  }
  if (!status.ok()) return status;
  status = InsertTags(digest, replay.tags);
  return status.ok() ? transaction->Commit() : status;
}

absl::Status SqliteCatalogue::Erase(const sim::ContentDigest& digest) {
  const std::string text = sim::FormatDigest(digest);
  absl::StatusOr<SqliteStatement> erase = connection_.Prepare(
      "DELETE FROM replays WHERE digest = ? RETURNING digest");
  if (!erase.ok()) return erase.status();
  const absl::StatusOr<bool> has_row = erase->Bind(1, text).Step();
  if (!has_row.ok()) return has_row.status();
  if (!*has_row) return NoSuchReplay(connection_, text);
  return erase->Run();
}

absl::StatusOr<StoredReplay> SqliteCatalogue::Find(
    const sim::ContentDigest& digest) const {
  const std::string text = sim::FormatDigest(digest);
  absl::StatusOr<std::vector<StoredReplay>> found = FindByPrefix(text, 1);
  if (!found.ok()) return found.status();
  // A shorter digest may be the beginning of a longer one.
  if (found->empty() || found->front().digest != digest) {
    return NoSuchReplay(connection_, text);
  }
  return std::move(found->front());
}

absl::StatusOr<std::vector<StoredReplay>> SqliteCatalogue::FindByPrefix(
    std::string_view prefix, size_t limit) const {
  // Hexadecimal digits sort below `g`, so this range is the prefix.
  absl::StatusOr<SqliteStatement> select = connection_.Prepare(
      fmt::format("SELECT {} FROM replays WHERE digest >= ? AND digest < ? "
                  "ORDER BY digest LIMIT ?",
                  kColumns));
  if (!select.ok()) return select.status();
  const std::string end = fmt::format("{}g", prefix);
  select->Bind(1, prefix).Bind(2, end).Bind(3, ToInteger(limit));
  return ReadReplays(*select);
}

absl::StatusOr<std::vector<StoredReplay>> SqliteCatalogue::List(
    const StoredReplayFilter& filter, size_t limit,
    const std::optional<Place>& behind) const {
  CHECK(limit >= 1 && limit <= kCataloguePageMax, "{}", limit);
  Conditions conditions = ConditionsOf(filter);
  if (behind.has_value()) {
    const int64_t recorded_at = ToMicroseconds(behind->recorded_at);
    conditions.Add("(recorded_at < ? OR (recorded_at = ? AND digest > ?))",
                   recorded_at);
    conditions.AddValue(recorded_at);
    conditions.AddValue(sim::FormatDigest(behind->digest));
  }
  conditions.AddValue(ToInteger(limit));
  absl::StatusOr<SqliteStatement> select = connection_.Prepare(
      fmt::format("SELECT {} FROM replays WHERE TRUE{} "
                  "ORDER BY recorded_at DESC, digest LIMIT ?",
                  kColumns, conditions.sql()));
  if (!select.ok()) return select.status();
  conditions.BindTo(*select);
  return ReadReplays(*select);
}

absl::Status SqliteCatalogue::Rename(const sim::ContentDigest& digest,
                                     std::string_view name) {
  const std::string text = sim::FormatDigest(digest);
  absl::StatusOr<SqliteStatement> rename = connection_.Prepare(
      "UPDATE replays SET name = ? WHERE digest = ? RETURNING digest");
  if (!rename.ok()) return rename.status();
  const absl::StatusOr<bool> has_row =
      rename->Bind(1, name).Bind(2, text).Step();
  if (!has_row.ok()) return has_row.status();
  if (!*has_row) return NoSuchReplay(connection_, text);
  return rename->Run();
}

absl::Status SqliteCatalogue::ChangeTags(const sim::ContentDigest& digest,
                                         std::span<const std::string> added,
                                         std::span<const std::string> removed) {
  absl::StatusOr<SqliteTransaction> transaction =
      SqliteTransaction::Begin(&connection_);
  if (!transaction.ok()) return transaction.status();
  const absl::StatusOr<StoredReplay> replay = Find(digest);
  if (!replay.ok()) return replay.status();

  const std::string text = sim::FormatDigest(digest);
  for (const std::string& tag : removed) {
    absl::StatusOr<SqliteStatement> erase =
        connection_.Prepare("DELETE FROM tags WHERE digest = ? AND tag = ?");
    if (!erase.ok()) return erase.status();
    const absl::Status status = erase->Bind(1, text).Bind(2, tag).Run();
    if (!status.ok()) return status;
  }
  absl::Status status = InsertTags(text, added);
  if (!status.ok()) return status;
  std::vector<std::string> tags;
  status = ReadTags(text, tags);
  if (!status.ok()) return status;
  if (tags.size() > kTagsMax) {
    return absl::ResourceExhaustedError(
        fmt::format("replay {} would have {} tags, more than {}", text,
                    tags.size(), kTagsMax));
  }
  return transaction->Commit();
}

absl::Status SqliteCatalogue::CheckIntegrity() const {
  absl::StatusOr<SqliteStatement> check =
      connection_.Prepare("PRAGMA integrity_check(1)");
  if (!check.ok()) return check.status();
  const absl::StatusOr<bool> has_row = check->Step();
  if (!has_row.ok()) return has_row.status();
  const std::string found = *has_row ? check->Text(0) : "no answer";
  if (found != "ok") {
    return absl::DataLossError(
        fmt::format("{}: {}", connection_.path(), found));
  }
  const auto orphans = connection_.QueryInteger(
      "SELECT count(*) FROM tags WHERE digest NOT IN "
      "(SELECT digest FROM replays)");
  if (!orphans.ok()) return orphans.status();
  if (*orphans != 0) {
    return absl::DataLossError(fmt::format("{}: {} tags are of no replay",
                                           connection_.path(), *orphans));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<StoredReplay>> SqliteCatalogue::ReadReplays(
    SqliteStatement& statement) const {
  std::vector<StoredReplay> replays;
  while (true) {
    const absl::StatusOr<bool> has_row = statement.Step();
    if (!has_row.ok()) return has_row.status();
    if (!*has_row) return replays;
    absl::StatusOr<StoredReplay> replay = ReadRow(statement);
    if (!replay.ok()) {
      return absl::DataLossError(
          fmt::format("{}: {}", connection_.path(),
                      std::string(replay.status().message())));
    }
    const absl::Status status =
        ReadTags(sim::FormatDigest(replay->digest), replay->tags);
    if (!status.ok()) return status;
    replays.push_back(*std::move(replay));
  }
}

absl::Status SqliteCatalogue::ReadTags(std::string_view digest,
                                       std::vector<std::string>& tags) const {
  absl::StatusOr<SqliteStatement> select =
      connection_.Prepare("SELECT tag FROM tags WHERE digest = ? ORDER BY tag");
  if (!select.ok()) return select.status();
  select->Bind(1, digest);
  while (true) {
    const absl::StatusOr<bool> has_row = select->Step();
    if (!has_row.ok()) return has_row.status();
    if (!*has_row) return absl::OkStatus();
    tags.push_back(select->Text(0));
  }
}

absl::Status SqliteCatalogue::InsertTags(
    std::string_view digest, std::span<const std::string> tags) const {
  for (const std::string& tag : tags) {
    absl::StatusOr<SqliteStatement> insert = connection_.Prepare(
        "INSERT OR IGNORE INTO tags (digest, tag) VALUES (?, ?)");
    if (!insert.ok()) return insert.status();
    const absl::Status status = insert->Bind(1, digest).Bind(2, tag).Run();
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace reprise::replays
