// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// SQLite's C interface with lifetimes and errors of our own. Statements are
// prepared, and values are bound, never put into their text.

#ifndef REPRISE_REPLAYS_STORE_SQLITE_CONNECTION_H_
#define REPRISE_REPLAYS_STORE_SQLITE_CONNECTION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "sqlite3.h"

namespace reprise::replays {

// Errors are: ALREADY_EXISTS, a constraint; DATA_LOSS, damaged or not a
// database; UNAVAILABLE, all others, such as a full disk or a lock that another
// process doesn't give up. Each names the file. Used by one thread at a time.
class SqliteStatement {
 public:
  // Values of the statement's parameters, from 1 on.
  SqliteStatement& Bind(int index, int64_t value);
  SqliteStatement& Bind(int index, std::string_view text);

  // Goes to the next row; false behind the last.
  absl::StatusOr<bool> Step();

  // Steps a statement that returns no rows.
  absl::Status Run();

  // Columns of the row, from 0 on. Text may hold any byte.
  int64_t Integer(int column) const;
  std::string Text(int column) const;

 private:
  friend class SqliteConnection;
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const {
      sqlite3_finalize(statement);
    }
  };

  SqliteStatement(sqlite3_stmt* statement, std::string path)
      : statement_(statement), path_(std::move(path)) {}

  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
  std::string path_;
  int error_ = SQLITE_OK;  // the first of a Bind, which Step reports
};

class SqliteConnection {
 public:
  // Opens the database at `path`, and makes an empty one where there is none.
  // A lock that another process holds is waited for, `wait_max` at most.
  static absl::StatusOr<SqliteConnection> Open(
      const std::string& path, absl::Duration wait_max = absl::Seconds(10));

  absl::StatusOr<SqliteStatement> Prepare(std::string_view sql) const;

  // Prepares and runs statements without parameters, separated by semicolons.
  absl::Status Run(const char* sql) const;

  // The single integer that `sql` returns.
  absl::StatusOr<int64_t> QueryInteger(std::string_view sql) const;

  const std::string& path() const { return path_; }

  // False of ":memory:", which ends with the connection.
  bool HasFile() const {
    return *sqlite3_db_filename(connection_.get(), "main") != '\0';
  }

 private:
  struct Closer {
    void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
  };

  SqliteConnection(sqlite3* connection, std::string path)
      : connection_(connection), path_(std::move(path)) {}

  std::unique_ptr<sqlite3, Closer> connection_;
  std::string path_;
};

// What is written while it lives is written as a whole by Commit(), or, without
// it, not at all.
class SqliteTransaction {
 public:
  // Waits for other writers. `connection` must outlive it.
  static absl::StatusOr<SqliteTransaction> Begin(
      const SqliteConnection* connection);
  SqliteTransaction(SqliteTransaction&& other) noexcept;
  ~SqliteTransaction();

  absl::Status Commit();

 private:
  explicit SqliteTransaction(const SqliteConnection* connection)
      : connection_(connection) {}

  const SqliteConnection* connection_;  // null: nothing is open
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_STORE_SQLITE_CONNECTION_H_
