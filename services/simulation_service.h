// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// reprise.v1.SimulationService on a registry of sessions.
//
// It uses gRPC's callback API: a stream is an object that reacts, not a thread
// that waits, so hundreds of clients that are slow, silent or gone cost no
// threads. What takes time runs on the work queue.

#ifndef REPRISE_SERVICES_SIMULATION_SERVICE_H_
#define REPRISE_SERVICES_SIMULATION_SERVICE_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "grpcpp/support/byte_buffer.h"
#include "reprise/v1/simulation_service.grpc.pb.h"
#include "services/calls/order_turn.h"
#include "services/calls/step_resources.h"
#include "services/calls/unary_call.h"
#include "services/calls/work_queue.h"
#include "services/sessions/session.h"
#include "services/storage/pack_catalog.h"

namespace reprise::services {

// All of the service by callbacks and by bytes: see UnaryCall and
// ExchangeStream.
using SimulationServiceBase = v1::SimulationService::WithRawCallbackMethod_DescribePack<
    v1::SimulationService::WithRawCallbackMethod_CreateSession<
        v1::SimulationService::WithRawCallbackMethod_GetSession<
            v1::SimulationService::WithRawCallbackMethod_ListSessions<
                v1::SimulationService::WithRawCallbackMethod_DeleteSession<
                    v1::SimulationService::WithRawCallbackMethod_StepSession<
                        v1::SimulationService::WithRawCallbackMethod_StepSessions<
                            v1::SimulationService::WithRawCallbackMethod_PlaySession<
                                v1::SimulationService::WithRawCallbackMethod_Step<
                                    v1::SimulationService::WithRawCallbackMethod_ResetSession<
                                        v1::SimulationService::WithRawCallbackMethod_SnapshotSession<
                                            v1::SimulationService::WithRawCallbackMethod_DeleteSnapshot<
                                                v1::SimulationService::WithRawCallbackMethod_RestoreSession<
                                                    v1::SimulationService::
                                                        WithRawCallbackMethod_ForkSession<
                                                            v1::SimulationService::
                                                                Service>>>>>>>>>>>>>>;

class SimulationService final : public SimulationServiceBase {
 public:
  // `packs` and `loaders`, which carry out what may take long, must remain live
  // while this service is in use.
  SimulationService(const StepResources& resources, const PackCatalog* packs,
                    WorkQueue* loaders)
      : resources_(resources), packs_(*packs), loaders_(*loaders) {}

  grpc::ServerUnaryReactor* DescribePack(grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* CreateSession(grpc::CallbackServerContext* context,
                                          const grpc::ByteBuffer* request,
                                          grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* GetSession(grpc::CallbackServerContext* context,
                                       const grpc::ByteBuffer* request,
                                       grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* DeleteSession(grpc::CallbackServerContext* context,
                                          const grpc::ByteBuffer* request,
                                          grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* ListSessions(grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* Step(grpc::CallbackServerContext* context,
                                 const grpc::ByteBuffer* request,
                                 grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* ResetSession(grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* SnapshotSession(
      grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
      grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* DeleteSnapshot(grpc::CallbackServerContext* context,
                                           const grpc::ByteBuffer* request,
                                           grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* RestoreSession(grpc::CallbackServerContext* context,
                                           const grpc::ByteBuffer* request,
                                           grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* ForkSession(grpc::CallbackServerContext* context,
                                        const grpc::ByteBuffer* request,
                                        grpc::ByteBuffer* response) override;

  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* StepSession(
      grpc::CallbackServerContext* context) override;

  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* StepSessions(
      grpc::CallbackServerContext* context) override;

  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* PlaySession(
      grpc::CallbackServerContext* context) override;

 private:
  // Has `put_back` change a session as session_restart.h says: here, or on the
  // loaders where it may take long.
  template <typename Response>
  std::optional<absl::Status> PutBack(
      std::string_view id, const PendingCall& call,
      absl::FunctionRef<absl::StatusOr<std::optional<std::string>>(
          bool may_take_long, Session& session)>
          put_back,
      Response& response);

  OrderBook orders() {
    return {.orders = &orders_, .clock = resources_.options->clock};
  }

  const StepResources resources_;
  RecentOrders orders_;
  const PackCatalog& packs_;
  WorkQueue& loaders_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SIMULATION_SERVICE_H_
