// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/server.h"

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "fmt/format.h"
#include "grpc/grpc.h"
#include "grpc/support/time.h"
#include "grpcpp/ext/proto_server_reflection_plugin.h"
#include "grpcpp/health_check_service_interface.h"
#include "grpcpp/resource_quota.h"
#include "grpcpp/security/server_credentials.h"
#include "grpcpp/server_builder.h"
#include "services/base/clock.h"
#include "services/base/descriptor_limit.h"
#include "services/base/listen_address.h"

namespace reprise::services {
namespace {

// gRPC's own threads: pollers, and those that answer reflection. Our services
// occupy none of them.
constexpr int kTransportThreadsMax = 32;

// A connection that says nothing of HTTP/2, and one without calls, makes room
// for others; clients connect again by themselves when they have a call.
constexpr int kHandshakeTimeoutMs = 5'000;
constexpr int kConnectionIdleMs = 60'000;

// Lists, downloads and recordings that are finished share one disk.
constexpr size_t kFileThreads = 1;

// Of descriptors: a session has its recording and, while it branches, the
// replay before; a thread has folders open; gRPC, the C library and others the
// rest.
constexpr uint64_t kDescriptorsPerSession = 2;
constexpr uint64_t kDescriptorsPerThread = 8;
constexpr uint64_t kDescriptorsOfOthers = 64;
// Two replays, and the pipes of one that is being started.
constexpr uint64_t kDescriptorsPerOperation = 9;

// How long unary calls may take behind the last stream of a server that stops.
// None needs as much; those who watch the server's health would stay for ever.
constexpr absl::Duration kLastCallsTime = absl::Seconds(1);

// How long idle sessions may outlive their timeout.
constexpr absl::Duration kHousekeepingPeriodMax = absl::Seconds(5);
constexpr absl::Duration kHousekeepingPeriodMin = absl::Milliseconds(10);

// Looking through a large store takes a while, and metrics may be that old.
constexpr absl::Duration kStoreMeasuringPeriod = absl::Minutes(1);

// What is left of the recordings to take in waits for the next round.
constexpr absl::Duration kTakeInTimeMax = absl::Seconds(1);

constexpr std::array<std::string_view, 5> kHealthNames = {
    "", v1::SimulationService::service_full_name(),
    v1::CatalogService::service_full_name(),
    v1::ReplayService::service_full_name(),
    v1::OperationService::service_full_name()};

// What reflection tells of.
std::vector<std::string> ReflectedNames() {
  std::vector<std::string> names(kHealthNames.begin() + 1, kHealthNames.end());
  names.emplace_back("grpc.health.v1.Health");
  names.emplace_back("grpc.reflection.v1.ServerReflection");
  names.emplace_back("grpc.reflection.v1alpha.ServerReflection");
  return names;
}

// Messages below this couldn't hold a piece of a download and its frame.
constexpr uint32_t kMessageBytesMin = 1 << 20;
constexpr uint32_t kMessageBytesLimit = 1 << 30;

absl::Status CheckOptions(const ServerOptions& options) {
  if (options.message_bytes_max < kMessageBytesMin ||
      options.message_bytes_max > kMessageBytesLimit) {
    return absl::InvalidArgumentError(fmt::format(
        "message_bytes_max is {}, outside of {} to {}",
        options.message_bytes_max, kMessageBytesMin, kMessageBytesLimit));
  }
  if (options.sessions.sessions_max == 0 ||
      options.sessions.ticks_per_request_max == 0 || options.streams_max == 0 ||
      options.connections_max == 0 || options.loader_count == 0) {
    return absl::InvalidArgumentError(
        "a server with a limit of 0 sessions, streams, connections, loaders or "
        "ticks is of no use");
  }
  if (options.operations.timeout_max <= absl::ZeroDuration() ||
      options.operations.hang_timeout <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError(
        "time-outs of operations must be above 0");
  }
  if (options.connection_age_max <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError("connection_age_max must be above 0");
  }
  if (options.sessions.idle_timeout <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError("idle_timeout must be above 0");
  }
  if (options.recordings.writer.digest_stride == 0 ||
      options.recordings.writer.batch_ticks == 0) {
    return absl::InvalidArgumentError(
        "digest_stride and batch_ticks must be above 0");
  }
  return absl::OkStatus();
}

// Refuses an address that others reach where nothing says who they are.
absl::Status CheckReach(const ListenAddress& address,
                        const ServerOptions& options) {
  const bool is_guarded = !options.tls.is_empty() && !options.tokens.empty();
  if (address.IsLocal() || options.behind_proxy || is_guarded) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(fmt::format(
      "address '{}': other machines reach it, so the server takes TLS "
      "(--tls-certificate, --tls-key) and tokens (--tokens); --behind-proxy "
      "says that a proxy in front of it sees to both",
      address.ToString()));
}

// Where operators' pages are; nullopt: nowhere.
absl::StatusOr<std::optional<ListenAddress>> CheckHttpAddress(
    const ServerOptions& options) {
  if (options.http_address.empty()) return std::nullopt;
  const auto address = ParseListenAddress(options.http_address);
  if (!address.ok()) return address.status();
  if (address->IsLocal() || options.behind_proxy) return *address;
  return absl::InvalidArgumentError(fmt::format(
      "address '{}': other machines reach it, and HTTP isn't encrypted; "
      "--behind-proxy says that a proxy in front of it sees to that",
      address->ToString()));
}

// As gRPC takes times: at least 1, and at most some weeks.
int ToMilliseconds(absl::Duration duration) {
  return static_cast<int>(std::clamp(absl::ToInt64Milliseconds(duration),
                                     int64_t{1}, int64_t{1'000'000'000}));
}

size_t WorkerCount(const ServerOptions& options) {
  if (options.worker_count > 0) return options.worker_count;
  return std::max(1u, std::thread::hardware_concurrency());
}

uint64_t DescriptorsOf(const ServerOptions& options) {
  const uint64_t threads = WorkerCount(options) + options.loader_count +
                           kFileThreads + options.pack_uploads.trials_max;
  return options.connections_max +
         kDescriptorsPerSession * options.sessions.sessions_max +
         kDescriptorsPerThread * threads + kDescriptorsOfOthers +
         options.uploads.uploads_max +
         // A pack that is being tried has a process, too.
         kDescriptorsPerOperation *
             (options.operations.running_max + options.loader_count +
              options.pack_uploads.trials_max) +
         (options.http_address.empty() ? 0 : HttpLimits().connections_max);
}

// Both are for the whole process, and for every server built from then on.
void EnablePlugins(bool reflection) {
  grpc::EnableDefaultHealthCheckService(true);
  if (!reflection) return;
  [[maybe_unused]] static const bool once = [] {
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    return true;
  }();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Server>> Server::Start(ServerOptions options) {
  if (absl::Status checked = CheckOptions(options); !checked.ok()) {
    return checked;
  }
  if (absl::Status allowed = RequireDescriptors(DescriptorsOf(options));
      !allowed.ok()) {
    return allowed;
  }
  const auto address = ParseListenAddress(options.address);
  if (!address.ok()) return address.status();
  if (absl::Status reach = CheckReach(*address, options); !reach.ok()) {
    return reach;
  }
  const auto http_address = CheckHttpAddress(options);
  if (!http_address.ok()) return http_address.status();
  absl::StatusOr<std::unique_ptr<Access>> access = std::make_unique<Access>();
  if (!options.tokens.empty()) access = Access::Open(options.tokens);
  if (!access.ok()) return access.status();
  absl::StatusOr<std::unique_ptr<TlsCertificates>> tls = nullptr;
  if (!options.tls.is_empty()) tls = TlsCertificates::Open(options.tls);
  if (!tls.ok()) return tls.status();
  auto packs = PackCatalog::Open(options.packs_folder);
  if (!packs.ok()) return packs.status();
  auto replays = ReplayStore::Open(options.store_folder, options.recordings);
  if (!replays.ok()) return replays.status();
  absl::StatusOr<std::unique_ptr<AuditLog>> audit = nullptr;
  if (!options.audit_log.empty()) {
    audit = AuditLog::Open(options.audit_log, options.log);
  }
  if (!audit.ok()) return audit.status();
  (*replays)->RecoverUnfinished(options.log);
  std::unique_ptr<Server> server(
      new Server(std::move(options), *std::move(packs), *std::move(replays),
                 *std::move(access), *std::move(tls), *std::move(audit)));
  server->uploads_.RemoveAbandoned();
  server->operations_.Start();
  if (absl::Status listening = server->Listen(*address); !listening.ok()) {
    return listening;
  }
  if (http_address->has_value()) {
    if (absl::Status listening = server->ListenForOperators(**http_address);
        !listening.ok()) {
      return listening;
    }
  }
  server->housekeeper_ =
      std::thread([&server = *server] { server.Housekeep(); });
  return server;
}

Server::Server(ServerOptions options, PackCatalog packs,
               std::unique_ptr<ReplayStore> replays,
               std::unique_ptr<Access> access,
               std::unique_ptr<TlsCertificates> tls,
               std::unique_ptr<AuditLog> audit)
    : options_(std::move(options)),
      packs_(std::move(packs)),
      replays_(std::move(replays)),
      access_(std::move(access)),
      tls_(std::move(tls)),
      audit_(std::move(audit)),
      gate_(access_.get(), &metrics_, audit_.get(), options_.log,
            options_.calls_logged),
      memory_(options_.memory_bytes_max, options_.memory_meter, options_.clock),
      catalogue_(options_.store_folder, replays_.get(), options_.log),
      uploads_(options_.store_folder, replays_.get(), options_.uploads,
               options_.clock, options_.log),
      uploaded_packs_(options_.store_folder, options_.pack_uploads,
                      options_.log, replays_.get()),
      pack_trial_(&options_),
      operations_(&options_, replays_.get(), &packs_),
      sessions_({.packs = &packs_,
                 .replays = replays_.get(),
                 .uploads = &uploaded_packs_,
                 .trial = &pack_trial_,
                 .budget = &memory_,
                 .phase_times = &metrics_.phase_times},
                options_),
      streams_(options_.streams_max, options_.quotas.streams_max),
      plays_({.queue = &queue_,
              .timer = &timer_,
              .metrics = &metrics_,
              .clock = options_.clock}),
      simulation_service_({.gate = &gate_,
                           .sessions = &sessions_,
                           .streams = &streams_,
                           .queue = &queue_,
                           .timer = &timer_,
                           .plays = &plays_,
                           .options = &options_},
                          &packs_, &loaders_),
      catalog_service_({.gate = &gate_,
                        .options = &options_,
                        .packs = &packs_,
                        .uploads = &uploaded_packs_,
                        .trial = &pack_trial_,
                        .trials = &trials_,
                        .budget = &memory_,
                        .streams = {.streams = &streams_,
                                    .files = &files_,
                                    .loaders = &loaders_,
                                    .clock = options_.clock}},
                       &sessions_, &queue_),
      replay_service_({.gate = &gate_,
                       .streams = &streams_,
                       .queue = &files_,
                       .timer = &timer_,
                       .clock = options_.clock},
                      {.gate = &gate_,
                       .catalogue = &catalogue_,
                       .uploads = &uploads_,
                       .streams = {.streams = &streams_,
                                   .files = &files_,
                                   .loaders = &loaders_,
                                   .clock = options_.clock}},
                      replays_.get(),
                      options_.message_bytes_max - kResponseReserveBytes),
      operation_service_({.gate = &gate_,
                          .streams = &streams_,
                          .queue = &files_,
                          .timer = &timer_,
                          .clock = options_.clock},
                         &operations_),
      reflection_service_(ReflectedNames()),
      // A stream has at most one task.
      queue_(WorkerCount(options_),
             options_.streams_max + options_.calls_waiting_max),
      loaders_(options_.loader_count, options_.calls_waiting_max),
      files_(kFileThreads, options_.streams_max + options_.calls_waiting_max),
      trials_(options_.pack_uploads.trials_max, options_.streams_max) {}

Server::~Server() { Shutdown(absl::ZeroDuration()); }

absl::Status Server::Listen(const ListenAddress& address) {
  EnablePlugins(options_.reflection);

  grpc::ResourceQuota quota("reprise");
  quota.Resize(options_.transport_bytes_max);
  quota.SetMaxThreads(kTransportThreadsMax);
  grpc::ServerBuilder builder;
  builder.SetResourceQuota(quota);
  builder.SetMaxReceiveMessageSize(
      static_cast<int>(options_.message_bytes_max));
  builder.SetMaxSendMessageSize(static_cast<int>(options_.message_bytes_max));
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS,
                             kHandshakeTimeoutMs);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS,
                             kConnectionIdleMs);
  // Of a connection, unary calls included: a client that has all its streams
  // open can still call, and is told of one too many.
  builder.AddChannelArgument(
      GRPC_ARG_MAX_CONCURRENT_STREAMS,
      static_cast<int>(options_.streams_max + options_.calls_waiting_max));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS,
                             ToMilliseconds(options_.keepalive_time));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS,
                             ToMilliseconds(options_.keepalive_timeout));
  if (options_.connection_age_max < absl::InfiniteDuration()) {
    builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS,
                               ToMilliseconds(options_.connection_age_max));
    builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS,
                               ToMilliseconds(options_.connection_age_grace));
  }
  builder.RegisterService(&simulation_service_);
  builder.RegisterService(&catalog_service_);
  builder.RegisterService(&replay_service_);
  builder.RegisterService(&operation_service_);
  if (options_.reflection) builder.RegisterService(&reflection_service_);
  using ConnectionType =
      grpc::ServerBuilder::experimental_type::ExternalConnectionType;
  connections_ = builder.experimental().AddExternalConnectionAcceptor(
      ConnectionType::FROM_FD, tls_ == nullptr
                                   ? grpc::InsecureServerCredentials()
                                   : tls_->MakeCredentials());
  auto acceptor = ConnectionAcceptor::Listen(address, options_.connections_max);
  if (!acceptor.ok()) return acceptor.status();
  acceptor_ = *std::move(acceptor);
  server_ = builder.BuildAndStart();
  if (server_ == nullptr) {
    return absl::UnavailableError(
        fmt::format("cannot serve on {}", address.ToString()));
  }
  address_ =
      ListenAddress{
          .host = address.host, .port = acceptor_->port(), .path = address.path}
          .ToString();
  SetHealth(/*serving=*/true);
  acceptor_->Start(
      {.take =
           [this](int listener, int connection) {
             grpc::experimental::ExternalConnectionAcceptor::
                 NewConnectionParameters parameters;
             parameters.listener_fd = listener;
             parameters.fd = connection;
             connections_->HandleNewConnection(&parameters);
           },
       .on_shortage = [this](bool is_short) { TellShortage(is_short); }});
  return absl::OkStatus();
}

absl::Status Server::ListenForOperators(const ListenAddress& address) {
  pages_ = std::make_unique<OperatorPages>(
      OperatorView{.options = &options_,
                   .access = access_.get(),
                   .metrics = &metrics_,
                   .sessions = &sessions_,
                   .streams = &streams_,
                   .replays = replays_.get(),
                   .operations = &operations_,
                   .stepping = &queue_,
                   .loading = &loaders_,
                   .files = &files_,
                   .audit = audit_.get(),
                   .is_serving = [this] { return is_serving_.load(); }},
      address);
  auto http = HttpServer::Start(
      address, HttpLimits(),
      [this](const auto& request) { return pages_->Answer(request); });
  if (!http.ok()) return http.status();
  http_ = *std::move(http);
  return absl::OkStatus();
}

std::string Server::http_address() const {
  return http_ == nullptr ? "" : http_->address();
}

void Server::SetHealth(bool serving) {
  is_serving_ = serving;
  for (const std::string_view name : kHealthNames) {
    server_->GetHealthCheckService()->SetServingStatus(std::string(name),
                                                       serving);
  }
}

void Server::Reload() {
  const std::scoped_lock lock(reload_mutex_);
  if (tls_ != nullptr) TellReload("certificates", tls_->Reload(), tls_problem_);
  TellReload("tokens", access_->Reload(), tokens_problem_);
  if (audit_ != nullptr) audit_->Reopen();
}

void Server::Tell(LogEntry::Severity severity, std::string_view sentence) {
  LogEntry entry(sentence);
  entry.severity = severity;
  options_.log(entry);
}

void Server::TellReload(std::string_view what,
                        const absl::StatusOr<bool>& changed,
                        std::string& problem) {
  if (changed.ok()) {
    problem.clear();
    if (*changed) options_.log(fmt::format("new {} are in use", what));
    return;
  }
  std::string message(changed.status().message());
  if (message == problem) return;
  Tell(LogEntry::Severity::kWarning,
       fmt::format("{}; the {} before stay in use", message, what));
  problem = std::move(message);
}

void Server::TellShortage(bool is_short) {
  const std::scoped_lock lock(mutex_);
  if (phase_ != Phase::kServing) return;
  SetHealth(/*serving=*/!is_short);
  if (is_short) {
    Tell(LogEntry::Severity::kError,
         "no file descriptor is free: new clients are turned away");
  } else {
    options_.log("file descriptors are free again");
  }
}

void Server::Shutdown(absl::Duration grace) {
  if (!BeginShutdown()) {
    Wait();
    return;
  }
  if (server_ != nullptr) {
    const absl::Time deadline = MonotonicNow() + grace;
    acceptor_->Stop();
    gate_.Close();
    SetHealth(/*serving=*/false);
    streams_.DrainAll(options_.clock() + grace);
    // Connections end behind the streams. gRPC asks the client whether it has
    // read all, and closes then; but one that has asked before closes right
    // behind the last status, and a client that writes something at that moment
    // sees a broken connection, and never reads the status.
    streams_.WaitUntilEmpty(grace);
    const absl::Duration rest =
        std::max(absl::ZeroDuration(), deadline - MonotonicNow());
    std::thread draining([this, rest] {
      server_->Shutdown(gpr_time_add(
          gpr_now(GPR_CLOCK_MONOTONIC),
          gpr_time_from_micros(absl::ToInt64Microseconds(rest), GPR_TIMESPAN)));
      Enter(Phase::kEnding);
    });
    if (!HasEndedWithin(kLastCallsTime)) {
      grpc_server_cancel_all_calls(server_->c_server());
    }
    draining.join();
  } else {
    Enter(Phase::kEnding);
  }
  if (housekeeper_.joinable()) housekeeper_.join();
  // Nobody waits for a time any more. It calls the queue, which goes first.
  timer_.Stop();
  operations_.EndAll();
  sessions_.EndAll();
  Enter(Phase::kStopped);
}

void Server::Wait() {
  std::unique_lock lock(mutex_);
  phase_changed_.wait(lock, [this] { return phase_ == Phase::kStopped; });
}

bool Server::BeginShutdown() {
  const std::scoped_lock lock(mutex_);
  if (phase_ != Phase::kServing) return false;
  phase_ = Phase::kDraining;
  return true;
}

void Server::Enter(Phase phase) {
  const std::scoped_lock lock(mutex_);
  phase_ = phase;
  phase_changed_.notify_all();
}

bool Server::HasEndedWithin(absl::Duration time) {
  std::unique_lock lock(mutex_);
  return phase_changed_.wait_for(lock, absl::ToChronoNanoseconds(time),
                                 [this] { return phase_ >= Phase::kEnding; });
}

void Server::Housekeep() {
  const absl::Duration idle_timeout = options_.sessions.idle_timeout;
  const absl::Duration period = std::clamp(
      idle_timeout / 4, kHousekeepingPeriodMin, kHousekeepingPeriodMax);
  while (!HasEndedWithin(period)) {
    try {
      KeepHouseOnce();
    } catch (const std::bad_alloc&) {
      // The next round does what is left: others may have given back by then.
    }
  }
}

void Server::KeepHouseOnce() {
  const absl::Duration idle_timeout = options_.sessions.idle_timeout;
  const absl::Time now = options_.clock();
  if (http_ != nullptr && now - store_measured_ >= kStoreMeasuringPeriod) {
    replays_->MeasureBytes();
    store_measured_ = now;
  }
  streams_.CloseIdleSince(now - idle_timeout, now - options_.silent_timeout);
  sessions_.EndIdle();
  uploads_.DropIdleSince(now - idle_timeout);
  operations_.DropExpired();
  Reload();
  // Not by the clock of the day, which may be set meanwhile.
  const absl::Time deadline = MonotonicNow() + kTakeInTimeMax;
  replays_->TakeIn(
      now,
      [this, deadline] {
        return MonotonicNow() > deadline ||
               HasEndedWithin(absl::ZeroDuration());
      },
      options_.log);
}

}  // namespace reprise::services
