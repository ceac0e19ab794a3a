// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise serve`: the gRPC server, until a signal ends it.

#include <signal.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/format/engine.h"
#include "replays/format/replay_writer.h"
#include "services/base/library_log.h"
#include "services/base/log_entry.h"
#include "services/base/memory_budget.h"
#include "services/base/server_options.h"
#include "services/server.h"
#include "sim/pack_archive.h"
#include "sim/world/rules_revision.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/inputs/recording_flags.h"
#include "tools/reprise/terminal/child_program.h"
#include "tools/reprise/terminal/quantity.h"
#include "tools/reprise/verbs/commands.h"
#include "tools/reprise/verbs/version.h"

namespace reprise::tools {
namespace {

// A request of the largest size is done in less than a second; clients get ten
// times that to take their last responses.
constexpr uint64_t kDefaultDrainSeconds = 10;

// A year: longer than any server runs without anybody looking, and no overflow.
constexpr uint64_t kSecondsMax = 365 * 24 * 60 * 60;

// Sanitizers take terabytes of address space for themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kOperationMemoryMib = 0;
#else
constexpr uint64_t kOperationMemoryMib = 4096;
#endif

// What the names of variables begin with.
constexpr std::string_view kEnvironment = "REPRISE_SERVE_";

const services::ServerOptions kDefaults;

struct Options {
  std::string config;
  std::string listen = kDefaults.address;
  std::string packs;
  std::string store;
  std::string print_address;
  std::string tls_certificate;
  std::string tls_key;
  std::string tls_client_authority;
  std::string tokens;
  std::string http_address;
  std::string audit_log;
  std::string_view log_format = "text";
  std::string_view log_calls = "none";
  bool behind_proxy = false;
  bool no_reflection = false;
  bool print_config = false;
  uint64_t sessions_max = kDefaults.sessions.sessions_max;
  uint64_t connections_max = kDefaults.connections_max;
  uint64_t idle_timeout_s =
      absl::ToInt64Seconds(kDefaults.sessions.idle_timeout);
  uint64_t ticks_per_request_max = kDefaults.sessions.ticks_per_request_max;
  uint64_t snapshots_max = kDefaults.sessions.snapshots_max;
  uint64_t tenant_sessions_max = kDefaults.quotas.sessions_max;
  uint64_t tenant_streams_max = kDefaults.quotas.streams_max;
  uint64_t tenant_memory_mib = 0;
  uint64_t tenant_store_mib = 0;
  uint64_t operations_max = kDefaults.operations.running_max;
  uint64_t operation_timeout_s =
      absl::ToInt64Seconds(kDefaults.operations.timeout_max);
  uint64_t operation_memory_mib = kOperationMemoryMib;
  uint64_t memory_mib = services::DefaultMemoryBytesMax() >> 20;
  uint64_t pack_upload_mib = kDefaults.pack_uploads.bytes_max >> 20;
  uint64_t tenant_packs_mib = kDefaults.pack_uploads.tenant_bytes_max >> 20;
  uint64_t connection_age_s = 0;
  uint64_t workers = kDefaults.worker_count;
  uint64_t drain_timeout_s = kDefaultDrainSeconds;
  RecordingFlags recording;
};

absl::StatusOr<uint32_t> NarrowFlag(std::string_view name, uint64_t value) {
  if (value > std::numeric_limits<uint32_t>::max()) {
    return absl::InvalidArgumentError(fmt::format(
        "flag --{} takes a number below 2^32, not {}", name, value));
  }
  return static_cast<uint32_t>(value);
}

// REQUIRES: it is one of the words of --log-calls.
services::CallLogging ToCallLogging(std::string_view word) {
  if (word == "all") return services::CallLogging::kAll;
  return word == "failed" ? services::CallLogging::kFailed
                          : services::CallLogging::kNone;
}

absl::StatusOr<uint64_t> ToBytes(std::string_view name, uint64_t mebibytes,
                                 uint64_t mebibytes_max = kMebibytesMax) {
  if (mebibytes > mebibytes_max) {
    return absl::InvalidArgumentError(fmt::format(
        "flag --{} takes up to {}, not {}", name, mebibytes_max, mebibytes));
  }
  return mebibytes << 20;
}

// Of the flags that take seconds, all at once.
absl::Status CheckSeconds(const Options& options) {
  for (const auto& [name, seconds] :
       {std::pair("idle-timeout", options.idle_timeout_s),
        std::pair("operation-timeout", options.operation_timeout_s),
        std::pair("connection-age-max", options.connection_age_s),
        std::pair("drain-timeout", options.drain_timeout_s)}) {
    if (seconds <= kSecondsMax) continue;
    return absl::InvalidArgumentError(
        fmt::format("flag --{} takes up to {} seconds, not {}", name,
                    kSecondsMax, seconds));
  }
  return absl::OkStatus();
}

absl::StatusOr<services::ServerOptions> ToServerOptions(
    const Options& options) {
  if (options.store.empty()) {
    return absl::InvalidArgumentError(
        "flag --store FOLDER is needed: recordings have to be kept somewhere");
  }
  if (absl::Status valid = CheckSeconds(options); !valid.ok()) return valid;
  services::ServerOptions server;
  server.version = kVersion;
  server.rules_revision = sim::kWorldRulesRevision;
  server.address = options.listen;
  server.packs_folder = options.packs.empty() ? PacksFolder() : options.packs;
  server.store_folder = options.store;
  server.tls = {.certificate = options.tls_certificate,
                .key = options.tls_key,
                .client_authority = options.tls_client_authority};
  server.tokens = options.tokens;
  server.http_address = options.http_address;
  server.audit_log = options.audit_log;
  server.log =
      options.log_format == "json" ? services::LogJson : services::LogText;
  server.calls_logged = ToCallLogging(options.log_calls);
  server.behind_proxy = options.behind_proxy;
  server.reflection = !options.no_reflection;
  server.sessions.idle_timeout = absl::Seconds(options.idle_timeout_s);
  const absl::StatusOr<replays::ReplayWriterOptions> writer =
      ToWriterOptions(options.recording);
  if (!writer.ok()) return writer.status();
  server.recordings.writer = *writer;
  server.recordings.durability = options.recording.durability();

  const auto narrow = [](std::string_view name, uint64_t value,
                         uint32_t& target) {
    const absl::StatusOr<uint32_t> narrowed = NarrowFlag(name, value);
    if (narrowed.ok()) target = *narrowed;
    return narrowed.status();
  };
  absl::Status status = narrow("sessions-max", options.sessions_max,
                               server.sessions.sessions_max);
  status.Update(narrow("ticks-per-request-max", options.ticks_per_request_max,
                       server.sessions.ticks_per_request_max));
  status.Update(narrow("snapshots-max", options.snapshots_max,
                       server.sessions.snapshots_max));
  status.Update(narrow("connections-max", options.connections_max,
                       server.connections_max));
  status.Update(narrow("workers", options.workers, server.worker_count));
  status.Update(narrow("operations-max", options.operations_max,
                       server.operations.running_max));
  status.Update(narrow("tenant-sessions-max", options.tenant_sessions_max,
                       server.quotas.sessions_max));
  status.Update(narrow("tenant-streams-max", options.tenant_streams_max,
                       server.quotas.streams_max));
  if (!status.ok()) return status;
  const auto memory = ToBytes("tenant-memory-max", options.tenant_memory_mib);
  if (!memory.ok()) return memory.status();
  server.quotas.state_bytes_max = *memory;
  server.operations.program = kThisProgram;
  server.operations.timeout_max = absl::Seconds(options.operation_timeout_s);
  const auto operation_memory =
      ToBytes("operation-memory-max", options.operation_memory_mib);
  if (!operation_memory.ok()) return operation_memory.status();
  server.operations.memory_bytes_max = *operation_memory;
  for (const auto& [name, mebibytes, mebibytes_max, bytes] :
       {std::tuple("memory-max", options.memory_mib, kMebibytesMax,
                   &server.memory_bytes_max),
        std::tuple("pack-upload-max", options.pack_upload_mib,
                   sim::kPackBytesMax >> 20, &server.pack_uploads.bytes_max),
        std::tuple("tenant-packs-max", options.tenant_packs_mib,
                   kDefaults.recordings.store_bytes_max >> 20,
                   &server.pack_uploads.tenant_bytes_max)}) {
    const auto converted = ToBytes(name, mebibytes, mebibytes_max);
    if (!converted.ok()) return converted.status();
    *bytes = *converted;
  }
  if (options.connection_age_s > 0) {
    server.connection_age_max = absl::Seconds(options.connection_age_s);
  }
  const auto store = ToBytes("tenant-store-max", options.tenant_store_mib);
  if (!store.ok()) return store.status();
  server.recordings.tenant_bytes_max = *store;
  return server;
}

// Whoever waits for the file sees all of the address or no file.
absl::Status PrintAddress(const std::string& path, const std::string& address) {
  const std::string unfinished = path + ".unfinished";
  std::ofstream file(unfinished, std::ios::trunc);
  file << address << '\n';
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(unfinished, path, error);
  if (!file || error) {
    return absl::UnavailableError(fmt::format("{} can't be written", path));
  }
  return absl::OkStatus();
}

// The signals that ask for an end: of an operator, and of a terminal; and the
// one that asks for files to be read again.
sigset_t SetOf(std::initializer_list<int> numbers) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : numbers) sigaddset(&signals, number);
  return signals;
}

// Until an end is asked for.
void AwaitStop(const sigset_t& signals, services::Server& server) {
  int number = 0;
  do {
    sigwait(&signals, &number);
    if (number == SIGHUP) server.Reload();
  } while (number == SIGHUP);
}

absl::StatusOr<ExitCode> Serve(const Options& options,
                               std::span<const Flag> flags, Console& console) {
  absl::StatusOr<services::ServerOptions> server_options =
      ToServerOptions(options);
  if (!server_options.ok()) return server_options.status();
  if (options.print_config) {
    console.out() << FormatEnvironment(flags, kEnvironment);
    return ExitCode::kOk;
  }

  // Before the program may be replaced on the disk.
  replays::CurrentEngine();
  // Before there are other threads, which inherit it: the signals wait for us.
  const sigset_t signals = SetOf({SIGTERM, SIGINT, SIGHUP});
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // Whoever reads what the server says may go; it says it to nobody then.
  signal(SIGPIPE, SIG_IGN);
  const services::Log log = server_options->log;
  services::TakeLibraryLogs(log);
  const absl::StatusOr<std::unique_ptr<services::Server>> server =
      services::Server::Start(*std::move(server_options));
  if (!server.ok()) return server.status();

  const std::string& address = (*server)->address();
  fmt::print(console.out(), "listening on {}\n", address);
  if (!(*server)->http_address().empty()) {
    fmt::print(console.out(), "pages for operators on {}\n",
               (*server)->http_address());
  }
  console.out().flush();
  if (!options.print_address.empty()) {
    const absl::Status status = PrintAddress(options.print_address, address);
    if (!status.ok()) return status;
  }

  AwaitStop(signals, **server);
  log("finishing what is under way; a second signal ends at once");
  const sigset_t stop_signals = SetOf({SIGTERM, SIGINT});
  pthread_sigmask(SIG_UNBLOCK, &stop_signals, nullptr);
  (*server)->Shutdown(absl::Seconds(options.drain_timeout_s));
  log("all recordings are finished");
  return ExitCode::kOk;
}

}  // namespace

Command MakeServeCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "serve";
  command.summary = "Runs the gRPC server";
  command.description =
      "Serves until SIGTERM or SIGINT, then lets requests finish, ends every "
      "session and completes every recording; a second signal ends at once. "
      "SIGHUP reads the files of TLS and tokens again, as it does by itself "
      "every few seconds. Where other machines reach the address, it takes "
      "both.";
  command.arguments = {"", 0, 0};
  command.flags = {
      {"listen", "ADDRESS",
       "Where to listen: HOST:PORT, where port 0 takes one that is free, or "
       "unix:PATH. 127.0.0.1:7171 if unset.",
       &options->listen},
      {"packs", "FOLDER",
       "Offer the packs in this folder. $REPRISE_PACKS or sim/packs if unset.",
       &options->packs},
      {"store", "FOLDER", "Keep recordings here. Made if need be.",
       &options->store},
      {"print-address", "FILE",
       "Write the address that is listened on to this file, once it is.",
       &options->print_address},
      {"tls-certificate", "FILE",
       "Speak TLS with this certificate, and those up to its authority's "
       "(PEM).",
       &options->tls_certificate},
      {"tls-key", "FILE", "The key of the certificate (PEM, not encrypted).",
       &options->tls_key},
      {"tls-client-authority", "FILE",
       "Take only clients with a certificate of this authority (PEM).",
       &options->tls_client_authority},
      {"tokens", "FILE",
       "Take only calls with a token of this file; `reprise token` makes them. "
       "Everybody may do everything if unset.",
       &options->tokens},
      {"http-address", "ADDRESS",
       "Where pages for operators are, as --listen: / for people, /metrics for "
       "Prometheus, /healthz. Nowhere if unset.",
       &options->http_address},
      {"audit-log", "FILE",
       "Add a line to this file for each call that changes something, takes "
       "something out or isn't let in.",
       &options->audit_log},
      {"log-format", "FORMAT",
       "How the server tells what happens: text, or json with an object a "
       "line. text if unset.",
       ChoiceTarget{&options->log_format, {"text", "json"}}},
      {"log-calls", "WHICH",
       "Tell of calls: none, failed or all. none if unset.",
       ChoiceTarget{&options->log_calls, {"none", "failed", "all"}}},
      {"behind-proxy", "",
       "A proxy in front of the server sees to TLS and to who calls.",
       &options->behind_proxy},
      {"no-reflection", "",
       "Tell nobody which services and messages there are.",
       &options->no_reflection},
      {"sessions-max", "N", "Sessions at the same time. 64 if unset.",
       &options->sessions_max},
      {"connections-max", "N",
       "Connections at the same time; further ones are closed. 512 if unset.",
       &options->connections_max},
      {"idle-timeout", "SECONDS",
       "End a session that nobody used this long, up to 31536000. 600 if "
       "unset.",
       &options->idle_timeout_s},
      {"ticks-per-request-max", "N", "Ticks in one request. 10000 if unset.",
       &options->ticks_per_request_max},
      {"snapshots-max", "N", "Snapshots that a session keeps. 16 if unset.",
       &options->snapshots_max},
      {"tenant-sessions-max", "N",
       "Sessions of one tenant. As many as there may be if unset.",
       &options->tenant_sessions_max},
      {"tenant-streams-max", "N",
       "Streams of one tenant. As many as there may be if unset.",
       &options->tenant_streams_max},
      {"tenant-memory-max", "MIB",
       "MiB of rows that one tenant's sessions and snapshots may have. No "
       "limit if unset.",
       &options->tenant_memory_mib},
      {"tenant-store-max", "MIB",
       "MiB of replays that one tenant may have. As the store if unset.",
       &options->tenant_store_mib},
      {"operations-max", "N",
       "Processes that verify, compare and export replays at the same time. 0: "
       "none. 2 if unset.",
       &options->operations_max},
      {"operation-timeout", "SECONDS",
       "How long such a process may run, up to 31536000. 600 if unset.",
       &options->operation_timeout_s},
      {"operation-memory-max", "MIB",
       "MiB of memory that it may write to. 0: no limit. 4096 if unset.",
       &options->operation_memory_mib},
      {"memory-max", "MIB",
       "MiB of memory that the process may have allocated before it refuses "
       "new sessions, snapshots and packs. 0: no limit. Three quarters of the "
       "machine's, or of what its control group allows, if unset.",
       &options->memory_mib},
      {"pack-upload-max", "MIB",
       "MiB of a pack that a client uploads, up to 256. 64 if unset.",
       &options->pack_upload_mib},
      {"tenant-packs-max", "MIB",
       "MiB of packs that one tenant may have uploaded, up to the store's "
       "32768. 256 if unset.",
       &options->tenant_packs_mib},
      {"connection-age-max", "SECONDS",
       "Ask clients to connect anew after so long, as for spreading them over "
       "servers; calls that are under way may end before. Up to 31536000. "
       "Never "
       "if unset.",
       &options->connection_age_s},
      {"workers", "N", "Threads that step worlds. 0: one a CPU. 0 if unset.",
       &options->workers},
      {"drain-timeout", "SECONDS",
       "How long requests may take to finish at the end, up to 31536000. 10 if "
       "unset.",
       &options->drain_timeout_s},
  };
  const std::vector<Flag> recording = MakeRecordingFlags(options->recording);
  command.flags.insert(command.flags.end(), recording.begin(), recording.end());
  command.configurable = command.flags;
  command.flags.push_back({"config", "FILE",
                           "Take what neither flags nor variables say from "
                           "this file of variables.",
                           &options->config});
  command.configuration = &options->config;
  command.flags.push_back({"print-config", "",
                           "Print what flags and variables come to, as "
                           "variables, and serve nobody.",
                           &options->print_config});
  command.environment = kEnvironment;
  command.examples = {
      {"Serve this project's packs", "reprise serve --store /var/lib/reprise"},
      {"Serve other machines",
       "reprise serve --store /var/lib/reprise --listen 0.0.0.0:7171 "
       "--tls-certificate server.pem --tls-key server.key --tokens tokens"},
      {"Let a test find its server",
       "reprise serve --listen 127.0.0.1:0 --store . --print-address address"},
  };
  command.run = [options, configurable = command.configurable](
                    const std::vector<std::string>&, Console& console) {
    return Serve(*options, configurable, console);
  };
  return command;
}

}  // namespace reprise::tools
