// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// reprise.v1.CatalogService on a catalogue of packs; see simulation_service.h
// for how calls are served.

#ifndef REPRISE_SERVICES_CATALOG_SERVICE_H_
#define REPRISE_SERVICES_CATALOG_SERVICE_H_

#include <string>

#include "grpcpp/support/byte_buffer.h"
#include "reprise/v1/catalog_service.grpc.pb.h"
#include "services/base/recent_orders.h"
#include "services/base/server_options.h"
#include "services/base/tenant.h"
#include "services/calls/call_gate.h"
#include "services/calls/pack_upload_call.h"
#include "services/calls/stream_set.h"
#include "services/calls/work_queue.h"
#include "services/sessions/session_registry.h"
#include "services/storage/pack_catalog.h"

namespace reprise::services {

// What clients are told of a server with these options.
v1::ServerInfo DescribeServer(const ServerOptions& options);

using CatalogServiceBase =
    v1::CatalogService::WithRawCallbackMethod_GetServerInfo<
        v1::CatalogService::WithRawCallbackMethod_ListPacks<
            v1::CatalogService::WithRawCallbackMethod_GetPack<
                v1::CatalogService::WithRawCallbackMethod_UploadPack<
                    v1::CatalogService::WithRawCallbackMethod_DeletePack<
                        v1::CatalogService::Service>>>>>;

class CatalogService final : public CatalogServiceBase {
 public:
  // What packs are read and made for runs on `loaders`. All must remain live
  // while this service is in use.
  CatalogService(const PackUploadResources& uploads,
                 const SessionRegistry* sessions, WorkQueue* queue)
      : uploads_(uploads),
        gate_(*uploads.gate),
        options_(*uploads.options),
        packs_(*uploads.packs),
        sessions_(*sessions),
        streams_(*uploads.streams.streams),
        queue_(*queue),
        loaders_(*uploads.streams.loaders) {}

  grpc::ServerUnaryReactor* GetServerInfo(grpc::CallbackServerContext* context,
                                          const grpc::ByteBuffer* request,
                                          grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* ListPacks(grpc::CallbackServerContext* context,
                                      const grpc::ByteBuffer* request,
                                      grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* GetPack(grpc::CallbackServerContext* context,
                                    const grpc::ByteBuffer* request,
                                    grpc::ByteBuffer* response) override;

  grpc::ServerReadReactor<grpc::ByteBuffer>* UploadPack(
      grpc::CallbackServerContext* context,
      grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* DeletePack(grpc::CallbackServerContext* context,
                                       const grpc::ByteBuffer* request,
                                       grpc::ByteBuffer* response) override;

 private:
  v1::OfferedPack Summarize(const Tenant& tenant,
                            const std::string& name) const;
  v1::TenantUsage DescribeUsage(const Tenant& tenant) const;

  const PackUploadResources uploads_;
  RecentOrders orders_;
  CallGate& gate_;
  const ServerOptions& options_;
  const PackCatalog& packs_;
  const SessionRegistry& sessions_;
  const StreamSet& streams_;
  WorkQueue& queue_;
  WorkQueue& loaders_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CATALOG_SERVICE_H_
