// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/replay_page.h"

#include <memory>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/container/byte_stream.h"
#include "reprise/v1/operation_service.pb.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/operations/operation_order.h"
#include "services/status_page.h"
#include "sim/base/digest.h"

namespace reprise::services {
namespace {

constexpr std::string_view kHtml = "text/html; charset=utf-8";
// As `ExportReplay` calls the file.
constexpr std::string_view kPageFile = "replay.html";

HttpResponse PlainAnswer(int status, std::string_view sentence) {
  return {.status = status, .body = fmt::format("{}\n", sentence)};
}

HttpResponse ErrorAnswer(const absl::Status& error) {
  const int status =
      absl::IsNotFound(error)                                          ? 404
      : absl::IsInvalidArgument(error)                                 ? 404
      : absl::IsFailedPrecondition(error)                              ? 409
      : absl::IsResourceExhausted(error) || absl::IsUnavailable(error) ? 503
                                                                       : 500;
  return PlainAnswer(status, ToRpcStatus(error).message());
}

// The same for one replay whoever asks, so that it is made once.
std::string RequestIdOf(std::string_view id) {
  return fmt::format(
      "page-{}",
      sim::FormatDigest(sim::DigestOf(std::as_bytes(std::span(id)))));
}

absl::StatusOr<v1::Operation> FindOrBegin(OperationRegistry& operations,
                                          const Tenant& tenant,
                                          std::string_view id) {
  v1::ExportReplayRequest request;
  request.set_name(MakeName(kReplays, id));
  request.set_format(v1::ExportReplayRequest::FORMAT_VIEW);
  request.mutable_settings()->set_request_id(RequestIdOf(id));
  const auto order = ParseOrder(request);
  if (!order.ok()) return order.status();
  return operations.Begin(tenant, *order);
}

HttpResponse AnswerProgress(const v1::Operation& operation) {
  const std::string progress =
      operation.tick_count() == 0
          ? "It is being made."
          : fmt::format("It is being made: {} of {}.", operation.ticks_done(),
                        operation.tick_count());
  return {.content_type = kHtml,
          .body = fmt::format(
              "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
              "<meta charset=\"utf-8\">\n"
              "<meta http-equiv=\"refresh\" content=\"1\">\n"
              "<title>Replay</title>\n</head>\n"
              "<body>\n<p id=\"progress\">{}</p>\n</body>\n</html>\n",
              progress),
          .fields = {{"Content-Security-Policy", kStatusPagePolicy}}};
}

HttpResponse AnswerPage(const OperationRegistry& operations,
                        const Tenant& tenant, const std::string& operation) {
  const auto source = operations.OpenResult(tenant, operation, kPageFile);
  if (!source.ok()) return ErrorAnswer(source.status());
  if ((*source)->size() > kReplayPageBytesMax) {
    return PlainAnswer(
        500, fmt::format("the page is too large to be shown here; "
                         "DownloadResult has it: {}, {}",
                         MakeName(kOperations, operation), kPageFile));
  }
  std::string page((*source)->size(), '\0');
  if (absl::Status read =
          (*source)->ReadAt(0, std::as_writable_bytes(std::span(page)));
      !read.ok()) {
    return PlainAnswer(503, "the page can't be read now");
  }
  return {.content_type = kHtml,
          .body = std::move(page),
          .fields = {{"Content-Security-Policy", kReplayPagePolicy}}};
}

}  // namespace

HttpResponse AnswerReplayPage(OperationRegistry& operations,
                              const Tenant& tenant, std::string_view id) {
  if (!IsValidId(id)) return PlainAnswer(404, "no replay is called so");
  const auto operation = FindOrBegin(operations, tenant, id);
  if (!operation.ok()) return ErrorAnswer(operation.status());
  const auto operation_id = ParseName(kOperations, operation->name());
  if (!operation_id.ok()) return ErrorAnswer(operation_id.status());
  switch (operation->state()) {
    case v1::Operation::STATE_SUCCEEDED:
      return AnswerPage(operations, tenant, *operation_id);
    case v1::Operation::STATE_FAILED:
    case v1::Operation::STATE_CANCELLED: {
      // Who asks again has it made again.
      operations.Delete(tenant, *operation_id).IgnoreError();
      const std::string& why = operation->error().message();
      return PlainAnswer(
          500, why.empty() ? "the page was not made"
                           : fmt::format("the page was not made: {}", why));
    }
    default:
      return AnswerProgress(*operation);
  }
}

}  // namespace reprise::services
