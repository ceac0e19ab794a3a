// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The operations of a server: which ones there are, whose turn it is, and what
// came of them. They live as long as the server does, and their files in the
// store's folder `operations` no longer; what a killed one left is removed by
// the next.

#ifndef REPRISE_SERVICES_OPERATIONS_OPERATION_REGISTRY_H_
#define REPRISE_SERVICES_OPERATIONS_OPERATION_REGISTRY_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "replays/container/byte_file.h"
#include "replays/container/byte_stream.h"
#include "reprise/v1/operation_service.pb.h"
#include "services/base/server_options.h"
#include "services/base/tenant.h"
#include "services/operations/operation_order.h"
#include "services/operations/operation_outcome.h"
#include "services/operations/worker_process.h"
#include "services/storage/pack_catalog.h"
#include "services/storage/replay_store.h"

namespace reprise::services {

inline constexpr std::string_view kOperations = "operations";
inline constexpr size_t kOperationsPerPageMax = 100;

// Safe to use from any thread.
class OperationRegistry {
 public:
  // All must remain live.
  OperationRegistry(const ServerOptions* options, const ReplayStore* replays,
                    const PackCatalog* packs);
  OperationRegistry(const OperationRegistry&) = delete;
  OperationRegistry& operator=(const OperationRegistry&) = delete;
  ~OperationRegistry() { EndAll(); }

  // Begins to work; orders wait until then. Nothing else may have been called.
  void Start();

  // Has an order carried out, or finds the operation that has its request_id.
  // Errors are the service's.
  absl::StatusOr<v1::Operation> Begin(const Tenant& tenant,
                                      const OperationOrder& order);

  // NOT_FOUND of all: the tenant has no such operation.
  absl::StatusOr<v1::Operation> Get(const Tenant& tenant,
                                    std::string_view id) const;
  absl::Status Cancel(const Tenant& tenant, std::string_view id);
  absl::Status Delete(const Tenant& tenant, std::string_view id);

  struct Page {
    std::vector<v1::Operation> operations;
    std::string next_page_token;  // empty on the last page
  };
  // INVALID_ARGUMENT: the size is negative, or the token isn't one.
  absl::StatusOr<Page> List(const Tenant& tenant, int32_t page_size,
                            std::string_view page_token) const;

  // FAILED_PRECONDITION: it hasn't ended. NOT_FOUND: there is no such file.
  absl::StatusOr<std::unique_ptr<replays::ByteSource>> OpenResult(
      const Tenant& tenant, std::string_view id, std::string_view file) const;

  // Forgets those whose time is over.
  void DropExpired();

  // Ends all work; there will be none any more.
  void EndAll();

 private:
  struct Entry {
    Tenant tenant;
    OperationOrder order;
    std::string folder;
    v1::Operation message;
    bool is_cancelled = false;
    absl::Time expiry = absl::InfiniteFuture();  // by the options' clock
  };
  using EntryPointer = std::shared_ptr<Entry>;

  absl::Status CheckInputs(const Tenant& tenant,
                           const OperationOrder& order) const;
  void Work();
  // Null: the end. The caller holds mutex_ by `lock`.
  EntryPointer AwaitTurn(std::unique_lock<std::mutex>& lock);
  OperationOutcome Run(Entry& entry);
  WorkerEnding Watch(Entry& entry, WorkerProcess& worker);

  // REQUIRES of those: the caller holds mutex_.
  absl::StatusOr<EntryPointer> FindLocked(const Tenant& tenant,
                                          std::string_view id) const;
  absl::Status CheckRoomLocked(const Tenant& tenant) const;
  // Returns the folder that is to be removed then, without the lock; or "".
  std::string ForgetLocked(const EntryPointer& entry);
  void ConcludeLocked(Entry& entry, const OperationOutcome& outcome);
  void SetEndLocked(Entry& entry) const;

  const ServerOptions& options_;
  const ReplayStore& replays_;
  const PackCatalog& packs_;
  std::string folder_;  // of this server's; empty: none could be made
  std::unique_ptr<replays::FileSink> lock_;  // says that it lives

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::map<std::string, EntryPointer> entries_;  // by id
  std::list<EntryPointer> queue_;
  std::map<Tenant, size_t> running_;
  bool is_ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OPERATIONS_OPERATION_REGISTRY_H_
