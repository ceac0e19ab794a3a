// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/store/sqlite_connection.h"

#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

absl::StatusCode CodeOf(int error) {
  switch (error & 0xff) {
    case SQLITE_CONSTRAINT:
      return absl::StatusCode::kAlreadyExists;
    case SQLITE_CORRUPT:
    case SQLITE_FORMAT:
    case SQLITE_NOTADB:
      return absl::StatusCode::kDataLoss;
    default:
      return absl::StatusCode::kUnavailable;
  }
}

// REQUIRES: called right after the call that failed, if there is a connection.
absl::Status ErrorOf(int error, sqlite3* connection, const std::string& path) {
  if ((error & 0xff) == SQLITE_BUSY) {
    return absl::UnavailableError(
        fmt::format("{}: another process holds it and doesn't let go", path));
  }
  return absl::Status(
      CodeOf(error),
      fmt::format("{}: {}", path,
                  connection != nullptr ? sqlite3_errmsg(connection)
                                        : sqlite3_errstr(error)));
}

}  // namespace

SqliteStatement& SqliteStatement::Bind(int index, int64_t value) {
  const int error = sqlite3_bind_int64(statement_.get(), index, value);
  if (error_ == SQLITE_OK) error_ = error;
  return *this;
}

SqliteStatement& SqliteStatement::Bind(int index, std::string_view text) {
  // Of an empty view data() may be null, which would bind NULL.
  const int error = sqlite3_bind_text64(
      statement_.get(), index, text.empty() ? "" : text.data(), text.size(),
      SQLITE_TRANSIENT, SQLITE_UTF8);
  if (error_ == SQLITE_OK) error_ = error;
  return *this;
}

absl::StatusOr<bool> SqliteStatement::Step() {
  const int result =
      error_ == SQLITE_OK ? sqlite3_step(statement_.get()) : error_;
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) return false;
  return ErrorOf(result, sqlite3_db_handle(statement_.get()), path_);
}

absl::Status SqliteStatement::Run() {
  const absl::StatusOr<bool> has_row = Step();
  CHECK(!has_row.ok() || !*has_row);
  return has_row.status();
}

int64_t SqliteStatement::Integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string SqliteStatement::Text(int column) const {
  const auto* const text = reinterpret_cast<const char*>(
      sqlite3_column_text(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (text == nullptr) return "";
  return {text, static_cast<size_t>(size)};
}

absl::StatusOr<SqliteConnection> SqliteConnection::Open(
    const std::string& path, absl::Duration wait_max) {
  sqlite3* opened = nullptr;
  const int error =
      sqlite3_open_v2(path.c_str(), &opened,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                          SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
                      nullptr);
  SqliteConnection connection(opened, path);
  if (error != SQLITE_OK) return ErrorOf(error, opened, path);
  sqlite3_busy_timeout(opened,
                       static_cast<int>(absl::ToInt64Milliseconds(wait_max)));
  // A damaged or forged file runs nothing and breaks nothing.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return connection;
}

absl::StatusOr<SqliteStatement> SqliteConnection::Prepare(
    std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  const int error =
      sqlite3_prepare_v2(connection_.get(), sql.data(),
                         static_cast<int>(sql.size()), &statement, nullptr);
  if (error != SQLITE_OK) return ErrorOf(error, connection_.get(), path_);
  return SqliteStatement(statement, path_);
}

absl::Status SqliteConnection::Run(const char* sql) const {
  const int error =
      sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr);
  if (error != SQLITE_OK) return ErrorOf(error, connection_.get(), path_);
  return absl::OkStatus();
}

absl::StatusOr<int64_t> SqliteConnection::QueryInteger(
    std::string_view sql) const {
  absl::StatusOr<SqliteStatement> statement = Prepare(sql);
  if (!statement.ok()) return statement.status();
  const absl::StatusOr<bool> has_row = statement->Step();
  if (!has_row.ok()) return has_row.status();
  CHECK(*has_row);
  return statement->Integer(0);
}

absl::StatusOr<SqliteTransaction> SqliteTransaction::Begin(
    const SqliteConnection* connection) {
  const absl::Status status = connection->Run("BEGIN IMMEDIATE");
  if (!status.ok()) return status;
  return SqliteTransaction(connection);
}

SqliteTransaction::SqliteTransaction(SqliteTransaction&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)) {}

SqliteTransaction::~SqliteTransaction() {
  // Some errors have rolled it back already; another rollback then says so.
  if (connection_ != nullptr) {
    static_cast<void>(connection_->Run("ROLLBACK"));
  }
}

absl::Status SqliteTransaction::Commit() {
  absl::Status status = connection_->Run("COMMIT");
  if (status.ok()) connection_ = nullptr;
  return status;
}

}  // namespace reprise::replays
