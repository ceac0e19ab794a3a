// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/status.h"

#include <optional>

#include "absl/strings/cord.h"
#include "google/protobuf/message_lite.h"
#include "google/rpc/error_details.pb.h"
#include "sim/base/check.h"
#include "sim/base/utf8.h"

namespace reprise::services {
namespace {

constexpr char kErrorInfoType[] = "type.googleapis.com/google.rpc.ErrorInfo";
constexpr char kRetryInfoType[] = "type.googleapis.com/google.rpc.RetryInfo";
constexpr char kBadRequestType[] = "type.googleapis.com/google.rpc.BadRequest";

template <typename Detail>
std::optional<Detail> FindDetail(const absl::Status& status, const char* type) {
  const auto payload = status.GetPayload(type);
  Detail detail;
  if (!payload.has_value() || !detail.ParseFromString(std::string(*payload))) {
    return std::nullopt;
  }
  return detail;
}

void AddDetail(const char* type, const google::protobuf::MessageLite& detail,
               google::rpc::Status& status) {
  google::protobuf::Any& any = *status.add_details();
  any.set_type_url(type);
  any.set_value(detail.SerializeAsString());
}

// `text` with '?' for every byte that isn't UTF-8, cut between two characters
// where it is too long.
std::string CleanText(std::string_view text, size_t bytes_max) {
  constexpr std::string_view kCut = " ...";
  const bool is_cut = text.size() > bytes_max;
  const size_t clean_bytes_max = is_cut ? bytes_max - kCut.size() : bytes_max;
  std::string clean;
  while (!text.empty()) {
    const size_t length = sim::Utf8CharacterSize(text);
    const size_t taken = length == 0 ? 1 : length;
    if (clean.size() + taken > clean_bytes_max) break;
    clean += length == 0 ? std::string_view("?") : text.substr(0, taken);
    text.remove_prefix(taken);
  }
  if (is_cut) clean += kCut;
  return clean;
}

google::rpc::ErrorInfo ErrorInfoOf(const absl::Status& status) {
  auto info = FindDetail<google::rpc::ErrorInfo>(status, kErrorInfoType)
                  .value_or(google::rpc::ErrorInfo());
  if (info.reason().empty()) {
    info.set_reason(absl::StatusCodeToString(status.code()));
  }
  info.set_domain(std::string(kErrorDomain));
  return info;
}

}  // namespace

absl::Status WithReason(
    absl::Status status, Reason reason,
    std::initializer_list<std::pair<std::string_view, std::string_view>>
        metadata) {
  CHECK(!status.ok());
  google::rpc::ErrorInfo info;
  info.set_reason(std::string(reason.name()));
  for (const auto& [key, value] : metadata) {
    (*info.mutable_metadata())[std::string(key)] =
        CleanText(value, kErrorMetadataBytesMax);
  }
  status.SetPayload(kErrorInfoType, absl::Cord(info.SerializeAsString()));
  return status;
}

absl::Status WithRetryDelay(absl::Status status, absl::Duration delay) {
  CHECK(!status.ok());
  google::rpc::RetryInfo info;
  const int64_t seconds = absl::IDivDuration(delay, absl::Seconds(1), &delay);
  info.mutable_retry_delay()->set_seconds(seconds);
  info.mutable_retry_delay()->set_nanos(
      static_cast<int32_t>(absl::ToInt64Nanoseconds(delay)));
  status.SetPayload(kRetryInfoType, absl::Cord(info.SerializeAsString()));
  return status;
}

absl::Status WithViolations(absl::Status status,
                            std::span<const Violation> violations) {
  CHECK(!status.ok());
  google::rpc::BadRequest details;
  for (const Violation& violation : violations) {
    if (details.field_violations_size() == kViolationsMax) break;
    auto& added = *details.add_field_violations();
    added.set_field(CleanText(violation.field, kErrorMetadataBytesMax));
    added.set_description(CleanText(violation.description, kViolationBytesMax));
    if (details.ByteSizeLong() > kViolationsBytesMax) {
      details.mutable_field_violations()->RemoveLast();
      break;
    }
  }
  if (details.field_violations_size() > 0) {
    status.SetPayload(kBadRequestType, absl::Cord(details.SerializeAsString()));
  }
  return status;
}

absl::Status BusyError() {
  return WithRetryDelay(
      WithReason(absl::ResourceExhaustedError("the server is busy"),
                 "SERVER_BUSY"),
      absl::Seconds(1));
}

absl::Status StoppingError() {
  return WithRetryDelay(
      WithReason(absl::UnavailableError("the server is stopping"),
                 "SERVER_STOPPING"),
      absl::Seconds(1));
}

absl::Status CancelledError() {
  return WithReason(absl::CancelledError("the call was cancelled"),
                    "CALL_CANCELLED");
}

std::string ReasonOf(const absl::Status& status) {
  return status.ok() ? "" : ErrorInfoOf(status).reason();
}

google::rpc::Status ToRpcStatus(const absl::Status& status) {
  CHECK(!status.ok());
  google::rpc::Status details;
  details.set_code(static_cast<int>(status.code()));
  const auto violations =
      FindDetail<google::rpc::BadRequest>(status, kBadRequestType);
  details.set_message(
      CleanText(std::string(status.message()), violations.has_value()
                                                   ? kViolatedMessageBytesMax
                                                   : kErrorMessageBytesMax));
  AddDetail(kErrorInfoType, ErrorInfoOf(status), details);
  if (const auto retry =
          FindDetail<google::rpc::RetryInfo>(status, kRetryInfoType)) {
    AddDetail(kRetryInfoType, *retry, details);
  }
  if (violations.has_value()) {
    AddDetail(kBadRequestType, *violations, details);
  }
  return details;
}

absl::Status FromRpcStatus(const google::rpc::Status& details) {
  absl::Status status(static_cast<absl::StatusCode>(details.code()),
                      details.message());
  CHECK(!status.ok());
  for (const google::protobuf::Any& detail : details.details()) {
    status.SetPayload(detail.type_url(), absl::Cord(detail.value()));
  }
  return status;
}

grpc::Status ToGrpcStatus(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  const google::rpc::Status details = ToRpcStatus(status);
  return grpc::Status(static_cast<grpc::StatusCode>(details.code()),
                      details.message(), details.SerializeAsString());
}

v1::StepError ToStepError(const absl::Status& status) {
  CHECK(!status.ok());
  v1::StepError error;
  error.set_code(static_cast<int>(status.code()));
  error.set_reason(ReasonOf(status));
  error.set_message(
      CleanText(std::string(status.message()), kErrorMessageBytesMax));
  return error;
}

}  // namespace reprise::services
