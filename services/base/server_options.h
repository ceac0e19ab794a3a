// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What an operator decides about a server. Everything that a client could use
// up has a limit here, and every limit has a default that fits one machine.

#ifndef REPRISE_SERVICES_BASE_SERVER_OPTIONS_H_
#define REPRISE_SERVICES_BASE_SERVER_OPTIONS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_writer.h"
#include "services/base/clock.h"
#include "services/base/log_entry.h"
#include "services/base/memory_budget.h"
#include "services/base/tenant_quotas.h"
#include "services/base/tls_files.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "sim/simulation_registry.h"

namespace reprise::services {

struct SessionLimits {
  // Sessions at the same time. Each holds one world, typically some megabytes.
  uint32_t sessions_max = 64;
  // A session that nobody stepped or asked for this long is finished, its
  // recording kept. So is a stream on which this long nothing moved.
  absl::Duration idle_timeout = absl::Minutes(10);
  // What one request may ask for: under three minutes at 60 Hz, far less than a
  // second of work for a small game.
  uint32_t ticks_per_request_max = 10'000;
  // Snapshots of a session. Each holds what of its state has changed since.
  uint32_t snapshots_max = 16;
};

struct RecordingOptions {
  replays::ReplayWriterOptions writer;
  // What of a recording survives what, up to the last batch that was written.
  replays::FileSink::Durability durability =
      replays::FileSink::Durability::kProcess;
  // A recording that has reached this size takes no more ticks.
  uint64_t recording_bytes_max = uint64_t{1} << 30;
  // What the store may hold: no recording is begun, and none takes a tick, that
  // finds no room reserved for it.
  uint64_t store_bytes_max = uint64_t{32} << 30;
  // The same of the files of one tenant. 0: as long as the store has room.
  uint64_t tenant_bytes_max = 0;
};

// What clients may send at a time. Each upload has one file open.
struct UploadLimits {
  // Of all, and of each tenant, under way or broken off and not idle.
  uint32_t uploads_max = 16;
  uint32_t tenant_uploads_max = 4;
  // Of one, as of a recording.
  uint64_t bytes_max = uint64_t{1} << 30;
};

// Packs that clients bring.
struct PackUploadLimits {
  // Of one, as an archive: a quarter of what a pack may have.
  uint64_t bytes_max = uint64_t{64} << 20;
  // Of all that a tenant has.
  uint64_t tenant_bytes_max = uint64_t{256} << 20;
  // How many those may be.
  uint32_t tenant_packs_max = 1024;
  // How long it may take to be made and played once, before it is kept.
  absl::Duration trial_timeout = absl::Seconds(30);
  // Threads that wait for that, each for a process of another tenant; further
  // uploads wait for them.
  uint32_t trials_max = 4;
};

// Work on replays in processes of their own.
struct OperationOptions {
  // What is started for each: `reprise`, or a program that takes the same
  // words. Empty: there are no operations.
  std::string program;
  // Processes at a time. 0: there are no operations.
  uint32_t running_max = 2;
  // Operations that wait, run and are kept: of all, and of each tenant.
  uint32_t operations_max = 64;
  uint32_t tenant_operations_max = 16;
  // What a process may write to in memory. 0: no limit.
  uint64_t memory_bytes_max = uint64_t{4} << 30;
  // What an operation may leave.
  uint64_t result_bytes_max = uint64_t{256} << 20;
  // How long a process may run, and for how long it may make no progress.
  absl::Duration timeout_max = absl::Minutes(10);
  absl::Duration hang_timeout = absl::Minutes(1);
  // How long what has ended is kept.
  absl::Duration keep_time = absl::Hours(1);
};

// Which calls are told, each when it ends; of streams also the requests.
enum class CallLogging { kNone, kFailed, kAll };

// Errors are those of sim::SimulationOf and sim::CreateSimulation.
absl::StatusOr<std::unique_ptr<sim::Simulation>> CreateNamedSimulation(
    const sim::PackArchive& pack, uint64_t seed);

// What responses hold besides what grows with the game, generously.
inline constexpr uint64_t kResponseReserveBytes = 4096;

struct ServerOptions {
  // What clients are told of the program: its version, empty for none, and the
  // revision of the built-in simulation.
  std::string version;
  uint32_t rules_revision = 0;

  // "host:port", where port 0 takes one that is free, or "unix:path". Addresses
  // that other machines reach take TLS and tokens.
  std::string address = "127.0.0.1:7171";
  // By which clients know the server, and are known; empty: connections aren't
  // encrypted.
  TlsFiles tls;
  // A file of tokens, of which each call takes one; empty: all clients may do
  // everything, as one tenant.
  std::string tokens;
  // Somebody else sees to both, in front of the server.
  bool behind_proxy = false;
  // Every folder in it that holds a pack is offered under its own name.
  std::string packs_folder;
  // Recordings are kept in its folder "replays", which is made if need be.
  std::string store_folder;

  SessionLimits sessions;
  RecordingOptions recordings;
  UploadLimits uploads;
  PackUploadLimits pack_uploads;
  OperationOptions operations;
  TenantQuotas quotas;

  // What the process may have allocated before it refuses what would be new; 0:
  // it refuses nothing, until the system ends it.
  uint64_t memory_bytes_max = 0;
  // Replaced by tests.
  MemoryMeter memory_meter = AllocatedBytes;

  // The largest message either side sends. gRPC's own default.
  uint32_t message_bytes_max = 4 << 20;
  // Connections at the same time; further ones are closed at once.
  uint32_t connections_max = 512;
  // How long a connection lives before its client is asked to make another one,
  // with time for what is under way to end. Infinite: as long as it likes.
  absl::Duration connection_age_max = absl::InfiniteDuration();
  absl::Duration connection_age_grace = absl::Minutes(5);
  // A connection with calls that has been silent this long is asked whether its
  // client is still there, and closed, with its calls, if no answer comes in
  // time. gRPC's default is never to ask.
  absl::Duration keepalive_time = absl::Minutes(1);
  absl::Duration keepalive_timeout = absl::Seconds(20);
  // Streams at the same time, for stepping and for downloads.
  uint32_t streams_max = 256;
  // A stream that has asked for nothing this long is closed.
  absl::Duration silent_timeout = absl::Seconds(30);
  // Unary calls that wait for a thread; further ones are refused. Of each kind:
  // those that step and look, that load packs and replays, and that use files.
  uint32_t calls_waiting_max = 1024;
  // Threads that step worlds. 0: one a CPU.
  uint32_t worker_count = 0;
  // Threads that load packs and reach the ticks of branches, which may take
  // long. They are others, so that no tick waits for that.
  uint32_t loader_count = 2;
  // What gRPC may hold of messages in flight before it stops reading.
  uint64_t transport_bytes_max = uint64_t{256} << 20;
  // Whether clients may ask for the services' description.
  bool reflection = true;

  // Told what an operator should know: a recording that was recovered, or that
  // could not be or not be finished.
  Log log = LogText;
  CallLogging calls_logged = CallLogging::kNone;
  // Where pages for operators are: "host:port" or "unix:path"; empty: nowhere.
  // HTTP isn't encrypted, so other machines reach it behind a proxy only.
  std::string http_address;
  // A file for who did what; empty: nobody writes that down.
  std::string audit_log;

  // Makes the simulation of a pack: by default the one that its manifest asks
  // for, out of those that this program has.
  sim::SimulationFactory simulation_factory = CreateNamedSimulation;

  // Of all time-outs. Replaced by tests.
  Clock clock = MonotonicNow;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_SERVER_OPTIONS_H_
