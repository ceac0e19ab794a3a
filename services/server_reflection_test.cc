// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that both protocols of reflection say the same of everything that the
// server has: ours is asked what gRPC's own is asked, over one connection, and
// has to answer alike. Their messages are the same bytes.

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor_database.h"
#include "google/protobuf/util/message_differencer.h"
#include "grpc/reflection/v1/reflection_service.grpc.pb.h"
#include "grpcpp/client_context.h"
#include "grpcpp/completion_queue.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/impl/codegen/proto_utils.h"
#include "gtest/gtest.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

using ::google::protobuf::DescriptorPool;
using ::google::protobuf::util::MessageDifferencer;
using ::testing::IsSupersetOf;

using Request = ::grpc::reflection::v1::ServerReflectionRequest;
using Response = ::grpc::reflection::v1::ServerReflectionResponse;
using Traits = ::grpc::SerializationTraits<Response>;

// A stream of one of both protocols.
class ReflectionClient {
 public:
  ReflectionClient(const std::shared_ptr<grpc::Channel>& channel,
                   const std::string& version)
      : stub_(channel) {
    context_.set_deadline(std::chrono::system_clock::now() +
                          std::chrono::minutes(1));
    stream_ = stub_.PrepareCall(&context_,
                                "/grpc.reflection." + version +
                                    ".ServerReflection/ServerReflectionInfo",
                                &queue_);
    stream_->StartCall(nullptr);
    Await();
  }
  ~ReflectionClient() {
    stream_->WritesDone(nullptr);
    Await();
    grpc::Status status;
    stream_->Finish(&status, nullptr);
    Await();
    EXPECT_TRUE(status.ok()) << status.error_message();
  }

  Response Ask(const Request& request) {
    grpc::ByteBuffer bytes;
    bool owned = false;
    EXPECT_TRUE(
        grpc::SerializationTraits<Request>::Serialize(request, &bytes, &owned)
            .ok());
    stream_->Write(bytes, nullptr);
    Await();
    grpc::ByteBuffer answer;
    stream_->Read(&answer, nullptr);
    Await();
    Response response;
    EXPECT_TRUE(Traits::Deserialize(&answer, &response).ok());
    return response;
  }

 private:
  void Await() {
    void* tag = nullptr;
    bool is_ok = false;
    queue_.Next(&tag, &is_ok);
  }

  grpc::GenericStub stub_;
  grpc::CompletionQueue queue_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream_;
};

std::set<std::string> ServicesOf(ReflectionClient& client) {
  Request request;
  request.set_list_services("*");
  std::set<std::string> names;
  const Response response = client.Ask(request);
  for (const auto& service : response.list_services_response().service()) {
    names.insert(service.name());
  }
  return names;
}

TEST(ServerReflectionTest, BothProtocolsListTheSameServices) {
  TestServer server;
  ReflectionClient ours(server.channel(), "v1");
  ReflectionClient theirs(server.channel(), "v1alpha");

  const std::set<std::string> names = ServicesOf(ours);

  EXPECT_EQ(names, ServicesOf(theirs));
  EXPECT_THAT(
      names,
      IsSupersetOf({"reprise.v1.SimulationService", "reprise.v1.CatalogService",
                    "reprise.v1.ReplayService", "reprise.v1.OperationService",
                    "grpc.reflection.v1.ServerReflection"}));
}

TEST(ServerReflectionTest, BothProtocolsAnswerAlike) {
  TestServer server;
  ReflectionClient ours(server.channel(), "v1");
  std::vector<Request> requests(1);  // that asks for nothing
  std::vector<std::string> files;
  ASSERT_TRUE(
      DescriptorPool::internal_generated_database()->FindAllFileNames(&files));
  files.push_back("none.proto");
  for (const std::string& file : files) {
    requests.emplace_back().set_file_by_filename(file);
  }
  for (const char* symbol :
       {"reprise.v1.SimulationService", "reprise.v1.SimulationService.Step",
        "reprise.v1.StepRequest", "reprise.v1.StepRequest.tick",
        "reprise.v1.None", ""}) {
    requests.emplace_back().set_file_containing_symbol(symbol);
    requests.emplace_back().set_all_extension_numbers_of_type(symbol);
    auto& extension =
        *requests.emplace_back().mutable_file_containing_extension();
    extension.set_containing_type(symbol);
    extension.set_extension_number(1);
  }
  for (Request& request : requests) request.set_host("host");

  MessageDifferencer differencer;
  // The file that was asked for is the first; in which order it imports others
  // is nothing to a client.
  differencer.TreatAsSet(
      grpc::reflection::v1::FileDescriptorResponse::descriptor()
          ->FindFieldByName("file_descriptor_proto"));
  for (const Request& request : requests) {
    // gRPC's own adds what it finds to its answer before.
    ReflectionClient theirs(server.channel(), "v1alpha");
    const Response expected = theirs.Ask(request);
    const Response actual = ours.Ask(request);
    EXPECT_TRUE(differencer.Compare(expected, actual)) << request.DebugString();
    if (expected.has_file_descriptor_response()) {
      EXPECT_EQ(actual.file_descriptor_response().file_descriptor_proto(0),
                expected.file_descriptor_response().file_descriptor_proto(0));
    }
  }
}

TEST(ServerReflectionTest, WithoutReflectionThereIsNone) {
  TestServer server([](ServerOptions& options) { options.reflection = false; });
  grpc::ClientContext context;
  const auto stub =
      grpc::reflection::v1::ServerReflection::NewStub(server.channel());
  const auto stream = stub->ServerReflectionInfo(&context);
  stream->WritesDone();
  Response response;
  EXPECT_FALSE(stream->Read(&response));

  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::UNIMPLEMENTED);
}

}  // namespace
}  // namespace reprise::services
