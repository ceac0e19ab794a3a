// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/operations/operation_order.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "services/base/recent_orders.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

constexpr int kExpressionsMax = 64;
constexpr int kLayersMax = 16;
constexpr size_t kTextBytesMax = 1024;
constexpr uint32_t kFieldsDefault = 8;
constexpr uint32_t kFieldsMax = 64;
constexpr uint32_t kWidthDefault = 640;
constexpr uint32_t kHeightDefault = 360;
constexpr uint32_t kWidthMax = 1920;
constexpr uint32_t kHeightMax = 1080;

absl::Status RefusedError(std::string_view sentence) {
  return WithReason(absl::InvalidArgumentError(std::string(sentence)),
                    "OPERATION_REFUSED");
}

// What all orders have, and the verb.
template <typename Request>
absl::StatusOr<OperationOrder> BeginOrder(const Request& request,
                                          v1::Operation::Kind kind,
                                          std::vector<std::string> words) {
  OperationOrder order;
  order.kind = kind;
  order.arguments = std::move(words);
  auto id = ParseName(kReplays, request.name());
  if (!id.ok()) return id.status();
  order.replay_ids.push_back(*std::move(id));
  const v1::OperationSettings& settings = request.settings();
  if (absl::Status valid = CheckOrderId(settings.request_id()); !valid.ok()) {
    return valid;
  }
  order.request_id = settings.request_id();
  if (settings.has_timeout()) {
    order.timeout = absl::Seconds(settings.timeout().seconds()) +
                    absl::Nanoseconds(settings.timeout().nanos());
    if (order.timeout <= absl::ZeroDuration()) {
      return RefusedError("timeout must be above 0");
    }
  }
  return order;
}

void AddFlag(OperationOrder& order, std::string_view name,
             std::string_view value) {
  order.arguments.push_back(fmt::format("--{}={}", name, value));
}

// What it works on, behind all flags.
void AddFiles(OperationOrder& order) {
  order.arguments.emplace_back("--");
  for (size_t i = 0; i < order.replay_ids.size(); ++i) {
    order.arguments.emplace_back(kReplayFiles[i]);
  }
}

absl::Status AddTicks(OperationOrder& order, const v1::TickRange& ticks) {
  if (ticks.has_last() && ticks.last() < ticks.first()) {
    return RefusedError("the last tick lies before the first one");
  }
  AddFlag(order, "from", std::to_string(ticks.first()));
  if (ticks.has_last()) AddFlag(order, "to", std::to_string(ticks.last()));
  AddFlag(order, "every", std::to_string(std::max<uint64_t>(ticks.every(), 1)));
  return absl::OkStatus();
}

absl::Status CheckText(std::string_view what, std::string_view text) {
  // What ends a word of a command line, or a line of a report.
  const bool is_plain = std::ranges::none_of(text, [](unsigned char character) {
    return character < ' ' || character == 0x7f;
  });
  if (text.size() <= kTextBytesMax && is_plain) return absl::OkStatus();
  return RefusedError(
      fmt::format("{} has up to {} characters, and none that can't be seen",
                  what, kTextBytesMax));
}

template <typename Texts>
absl::Status AddTexts(OperationOrder& order, std::string_view flag,
                      const Texts& texts, int count_max) {
  if (texts.size() > count_max) {
    return RefusedError(
        fmt::format("{} {} are more than {}", texts.size(), flag, count_max));
  }
  std::string joined;
  for (const std::string& text : texts) {
    if (absl::Status valid = CheckText(flag, text); !valid.ok()) return valid;
    if (text.empty())
      return RefusedError(fmt::format("one of {} is empty", flag));
    if (!joined.empty()) joined += ',';
    joined += text;
  }
  if (!joined.empty()) AddFlag(order, flag, joined);
  return absl::OkStatus();
}

// The command's format, and the file; null: there is none.
struct FormatName {
  const char* format;
  const char* file;
};

FormatName NameOf(v1::ExportReplayRequest::Format format) {
  switch (format) {
    case v1::ExportReplayRequest::FORMAT_JSONL:
      return {"jsonl", "replay.jsonl"};
    case v1::ExportReplayRequest::FORMAT_CSV:
      return {"csv", "replay.csv"};
    case v1::ExportReplayRequest::FORMAT_GLTF:
      return {"gltf", "replay.glb"};
    case v1::ExportReplayRequest::FORMAT_USDA:
      return {"usda", "replay.usda"};
    case v1::ExportReplayRequest::FORMAT_MCAP:
      return {"mcap", "replay.mcap"};
    case v1::ExportReplayRequest::FORMAT_VIEW:
      return {"view", "replay.html"};
    default:
      return {nullptr, nullptr};
  }
}

void AddOutput(OperationOrder& order, std::string_view file) {
  AddFlag(order, "output", fmt::format("{}/{}", kResultsFolder, file));
}

}  // namespace

absl::StatusOr<OperationOrder> ParseOrder(
    const v1::VerifyReplayRequest& request) {
  auto order = BeginOrder(request, v1::Operation::KIND_VERIFY,
                          {"verify", "--isolation=none", "--format=json"});
  if (!order.ok()) return order;
  order->pack = request.pack();
  if (!order->pack.empty()) AddFlag(*order, "pack", kPackFile);
  if (request.allow_partial()) order->arguments.emplace_back("--allow-partial");
  AddFiles(*order);
  return order;
}

absl::StatusOr<OperationOrder> ParseOrder(
    const v1::CompareReplaysRequest& request) {
  auto order = BeginOrder(request, v1::Operation::KIND_COMPARE,
                          {"diff", "--format=json"});
  if (!order.ok()) return order;
  if (request.other().empty() == request.pack().empty()) {
    return RefusedError(
        "a replay is compared with another one, or with itself on another "
        "pack: one of these");
  }
  if (!request.other().empty()) {
    auto other = ParseName(kReplays, request.other());
    if (!other.ok()) return other.status();
    order->replay_ids.push_back(*std::move(other));
  }
  order->pack = request.pack();
  if (!order->pack.empty()) AddFlag(*order, "pack", kPackFile);
  const uint32_t fields =
      request.fields_max() == 0 ? kFieldsDefault : request.fields_max();
  AddFlag(*order, "fields", std::to_string(std::min(fields, kFieldsMax)));
  AddFiles(*order);
  return order;
}

absl::StatusOr<OperationOrder> ParseOrder(
    const v1::QueryReplayRequest& request) {
  auto order = BeginOrder(request, v1::Operation::KIND_QUERY,
                          {"export", "--format=csv"});
  if (!order.ok()) return order;
  if (request.expressions().empty()) {
    return RefusedError("there is no expression");
  }
  absl::Status status =
      AddTexts(*order, "fields", request.expressions(), kExpressionsMax);
  if (status.ok()) status = AddTicks(*order, request.ticks());
  if (!status.ok()) return status;
  if (request.is_long()) order->arguments.emplace_back("--long");
  AddOutput(*order, "values.csv");
  AddFiles(*order);
  return order;
}

absl::StatusOr<OperationOrder> ParseOrder(
    const v1::ExportReplayRequest& request) {
  const FormatName name = NameOf(request.format());
  if (name.format == nullptr) return RefusedError("there is no such format");
  const bool is_view = request.format() == v1::ExportReplayRequest::FORMAT_VIEW;
  std::vector<std::string> words = {"view"};
  if (!is_view) words = {"export", fmt::format("--format={}", name.format)};
  auto order =
      BeginOrder(request, v1::Operation::KIND_EXPORT, std::move(words));
  if (!order.ok()) return order;
  if (!request.expressions().empty() && !is_view &&
      request.format() != v1::ExportReplayRequest::FORMAT_MCAP) {
    return RefusedError("expressions are of FORMAT_MCAP and FORMAT_VIEW");
  }
  absl::Status status =
      AddTexts(*order, "fields", request.expressions(), kExpressionsMax);
  if (status.ok()) status = AddTicks(*order, request.ticks());
  if (!status.ok()) return status;
  AddOutput(*order, name.file);
  AddFiles(*order);
  return order;
}

absl::StatusOr<OperationOrder> ParseOrder(
    const v1::RenderReplayRequest& request) {
  auto order = BeginOrder(request, v1::Operation::KIND_RENDER, {"render"});
  if (!order.ok()) return order;
  const bool is_film = request.output() == v1::RenderReplayRequest::OUTPUT_MP4;
  if (!is_film && request.output() != v1::RenderReplayRequest::OUTPUT_PNG) {
    return RefusedError("there is no such output");
  }
  const uint32_t width = request.width() == 0 ? kWidthDefault : request.width();
  const uint32_t height =
      request.height() == 0 ? kHeightDefault : request.height();
  if (width > kWidthMax || height > kHeightMax) {
    return RefusedError(fmt::format("a picture of {}x{} is larger than {}x{}",
                                    width, height, kWidthMax, kHeightMax));
  }
  absl::Status status = CheckText("camera", request.camera());
  if (status.ok()) status = AddTicks(*order, request.ticks());
  if (status.ok()) {
    status = AddTexts(*order, "layers", request.layers(), kLayersMax);
  }
  if (!status.ok()) return status;
  AddFlag(*order, "size", fmt::format("{}x{}", width, height));
  if (!request.camera().empty()) AddFlag(*order, "camera", request.camera());
  if (request.has_label()) order->arguments.emplace_back("--label");
  if (is_film) {
    AddOutput(*order, "film.mp4");
  } else {
    AddFlag(*order, "output", kResultsFolder);
  }
  AddFiles(*order);
  return order;
}

}  // namespace reprise::services
