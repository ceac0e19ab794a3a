// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// grpc.reflection.v1 of what this program has: newer clients ask for it first,
// and Debian's gRPC has v1alpha alone. Answers as that does.

#ifndef REPRISE_SERVICES_REFLECTION_SERVICE_H_
#define REPRISE_SERVICES_REFLECTION_SERVICE_H_

#include <string>
#include <utility>
#include <vector>

#include "grpc/reflection/v1/reflection_service.grpc.pb.h"

namespace reprise::services {

// Safe to use from any thread; a stream has none of its own.
class ReflectionService final
    : public grpc::reflection::v1::ServerReflection::CallbackService {
 public:
  using Request = grpc::reflection::v1::ServerReflectionRequest;
  using Response = grpc::reflection::v1::ServerReflectionResponse;

  // `services` are the full names that clients are told.
  explicit ReflectionService(std::vector<std::string> services)
      : services_(std::move(services)) {}

  grpc::ServerBidiReactor<Request, Response>* ServerReflectionInfo(
      grpc::CallbackServerContext* context) override;

  // What comes of one request.
  Response Answer(const Request& request) const;

 private:
  const std::vector<std::string> services_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_REFLECTION_SERVICE_H_
