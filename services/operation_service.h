// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// reprise.v1.OperationService on the operations of a server; see
// simulation_service.h for how calls are served.

#ifndef REPRISE_SERVICES_OPERATION_SERVICE_H_
#define REPRISE_SERVICES_OPERATION_SERVICE_H_

#include "grpcpp/support/byte_buffer.h"
#include "reprise/v1/operation_service.grpc.pb.h"
#include "services/base/recent_orders.h"
#include "services/calls/file_download.h"
#include "services/operations/operation_registry.h"

namespace reprise::services {

using OperationServiceBase = v1::OperationService::WithRawCallbackMethod_VerifyReplay<
    v1::OperationService::WithRawCallbackMethod_CompareReplays<
        v1::OperationService::WithRawCallbackMethod_QueryReplay<
            v1::OperationService::WithRawCallbackMethod_ExportReplay<
                v1::OperationService::WithRawCallbackMethod_RenderReplay<
                    v1::OperationService::WithRawCallbackMethod_GetOperation<
                        v1::OperationService::WithRawCallbackMethod_ListOperations<
                            v1::OperationService::
                                WithRawCallbackMethod_CancelOperation<
                                    v1::OperationService::
                                        WithRawCallbackMethod_DeleteOperation<
                                            v1::OperationService::
                                                WithRawCallbackMethod_DownloadResult<
                                                    v1::OperationService::
                                                        Service>>>>>>>>>>;

class OperationService final : public OperationServiceBase {
 public:
  // `operations` must remain live while this service is in use, as must what
  // `downloads` has, which all calls work with.
  OperationService(const DownloadResources& downloads,
                   OperationRegistry* operations)
      : downloads_(downloads), operations_(*operations) {}

  grpc::ServerUnaryReactor* VerifyReplay(grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* CompareReplays(grpc::CallbackServerContext* context,
                                           const grpc::ByteBuffer* request,
                                           grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* QueryReplay(grpc::CallbackServerContext* context,
                                        const grpc::ByteBuffer* request,
                                        grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* ExportReplay(grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* RenderReplay(grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* GetOperation(grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* ListOperations(grpc::CallbackServerContext* context,
                                           const grpc::ByteBuffer* request,
                                           grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* CancelOperation(
      grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
      grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* DeleteOperation(
      grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
      grpc::ByteBuffer* response) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* DownloadResult(
      grpc::CallbackServerContext* context,
      const grpc::ByteBuffer* request) override;

 private:
  // Serves a call that begins an operation.
  template <typename Request, typename Response>
  grpc::ServerUnaryReactor* Begin(grpc::CallbackServerContext* context,
                                  const grpc::ByteBuffer* request,
                                  grpc::ByteBuffer* response);

  const DownloadResources downloads_;
  OperationRegistry& operations_;
  RecentOrders orders_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OPERATION_SERVICE_H_
