// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/reflection_service.h"

#include <set>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "grpcpp/support/status.h"

namespace reprise::services {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::DescriptorPool;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::FileDescriptor;
using ::grpc::reflection::v1::ExtensionRequest;

using Request = ReflectionService::Request;
using Response = ReflectionService::Response;

const DescriptorPool& Pool() { return *DescriptorPool::generated_pool(); }

void SetNotFound(const std::string& message, Response& response) {
  auto& error = *response.mutable_error_response();
  error.set_error_code(grpc::StatusCode::NOT_FOUND);
  error.set_error_message(message);
}

// Adds `file`, then those that it imports, each once.
void AddFiles(const FileDescriptor& file, std::set<std::string>& seen,
              Response& response) {
  if (!seen.insert(file.name()).second) return;
  google::protobuf::FileDescriptorProto proto;
  file.CopyTo(&proto);
  *response.mutable_file_descriptor_response()->add_file_descriptor_proto() =
      proto.SerializeAsString();
  for (int i = 0; i < file.dependency_count(); ++i) {
    AddFiles(*file.dependency(i), seen, response);
  }
}

void AnswerFile(const FileDescriptor* file, const std::string& missing,
                Response& response) {
  std::set<std::string> seen;
  if (file == nullptr) {
    SetNotFound(missing, response);
  } else {
    AddFiles(*file, seen, response);
  }
}

void AnswerExtension(const ExtensionRequest& request, Response& response) {
  const Descriptor* type =
      Pool().FindMessageTypeByName(request.containing_type());
  if (type == nullptr) {
    SetNotFound("Type not found.", response);
    return;
  }
  const FieldDescriptor* extension =
      Pool().FindExtensionByNumber(type, request.extension_number());
  AnswerFile(extension == nullptr ? nullptr : extension->file(),
             "Extension not found.", response);
}

void AnswerExtensionNumbers(const std::string& name, Response& response) {
  const Descriptor* type = Pool().FindMessageTypeByName(name);
  if (type == nullptr) {
    SetNotFound("Type not found.", response);
    return;
  }
  std::vector<const FieldDescriptor*> extensions;
  Pool().FindAllExtensions(type, &extensions);
  auto& numbers = *response.mutable_all_extension_numbers_response();
  numbers.set_base_type_name(name);
  for (const FieldDescriptor* extension : extensions) {
    numbers.add_extension_number(extension->number());
  }
}

// A request, its response, the next one. Lives until gRPC is done with it.
class ReflectionStream final
    : public grpc::ServerBidiReactor<Request, Response> {
 public:
  explicit ReflectionStream(const ReflectionService* service)
      : service_(*service) {
    StartRead(&request_);
  }

 private:
  void OnReadDone(bool ok) override {
    if (!ok) {
      Finish(grpc::Status::OK);
      return;
    }
    response_ = service_.Answer(request_);
    StartWrite(&response_);
  }

  void OnWriteDone(bool ok) override {
    if (ok) {
      StartRead(&request_);
    } else {
      Finish(grpc::Status::CANCELLED);
    }
  }

  void OnDone() override { delete this; }

  const ReflectionService& service_;
  Request request_;
  Response response_;
};

}  // namespace

grpc::ServerBidiReactor<Request, Response>*
ReflectionService::ServerReflectionInfo(grpc::CallbackServerContext*) {
  return new ReflectionStream(this);
}

Response ReflectionService::Answer(const Request& request) const {
  Response response;
  response.set_valid_host(request.host());
  *response.mutable_original_request() = request;
  switch (request.message_request_case()) {
    case Request::kFileByFilename:
      AnswerFile(Pool().FindFileByName(request.file_by_filename()),
                 "File not found.", response);
      break;
    case Request::kFileContainingSymbol:
      AnswerFile(
          Pool().FindFileContainingSymbol(request.file_containing_symbol()),
          "Symbol not found.", response);
      break;
    case Request::kFileContainingExtension:
      AnswerExtension(request.file_containing_extension(), response);
      break;
    case Request::kAllExtensionNumbersOfType:
      AnswerExtensionNumbers(request.all_extension_numbers_of_type(), response);
      break;
    case Request::kListServices:
      response.mutable_list_services_response();
      for (const std::string& name : services_) {
        response.mutable_list_services_response()->add_service()->set_name(
            name);
      }
      break;
    case Request::MESSAGE_REQUEST_NOT_SET:
      response.mutable_error_response()->set_error_code(
          grpc::StatusCode::UNIMPLEMENTED);
      break;
  }
  return response;
}

}  // namespace reprise::services
