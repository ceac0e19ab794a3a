// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/operator_pages.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/escaping.h"
#include "fmt/format.h"
#include "services/monitoring/metrics_text.h"
#include "services/replay_page.h"
#include "services/status_page.h"

namespace reprise::services {
namespace {

constexpr std::string_view kHtml = "text/html; charset=utf-8";
constexpr std::string_view kBasic = "basic ";

HttpResponse PlainAnswer(int status, std::string body) {
  return {.status = status, .body = std::move(body)};
}

// Browsers ask for a name and a password: the password is the token.
HttpResponse TokenWanted(const absl::Status& refused) {
  HttpResponse response =
      PlainAnswer(absl::IsPermissionDenied(refused) ? 403 : 401,
                  fmt::format("{}\n", std::string(refused.message())));
  if (response.status == 401) {
    response.fields.emplace_back(
        "WWW-Authenticate", "Basic realm=\"reprise: the password is a token\"");
  }
  return response;
}

// "Bearer TOKEN", also of what a browser made of one; as it is where it made
// none.
std::optional<std::string> ToBearer(
    const std::optional<std::string>& authorization) {
  if (!authorization.has_value() ||
      !EqualsIgnoringCase(authorization->substr(0, kBasic.size()), kBasic)) {
    return authorization;
  }
  std::string pair;
  if (!absl::Base64Unescape(authorization->substr(kBasic.size()), &pair)) {
    return authorization;
  }
  const size_t colon = pair.find(':');
  if (colon == std::string::npos) return authorization;
  return fmt::format("Bearer {}", pair.substr(colon + 1));
}

}  // namespace

HttpResponse OperatorPages::Answer(const HttpRequest& request) const {
  if (IsMisdirected(request)) {
    return PlainAnswer(421, "this server is asked for by its address\n");
  }
  if (request.path == "/metrics") return AnswerMetrics(request);
  if (request.path == "/healthz") return AnswerHealth();
  if (request.path == "/") return AnswerStatus(request);
  if (request.path.starts_with(kReplayPagePrefix)) {
    return AnswerReplay(request);
  }
  return PlainAnswer(404, "there are /, /replays/ID, /metrics and /healthz\n");
}

bool OperatorPages::IsMisdirected(const HttpRequest& request) const {
  if (address_.is_unix() || !address_.IsLocal() || request.host.empty()) {
    return false;
  }
  // Without its port.
  std::string_view host = request.host;
  const size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && !host.ends_with(']')) {
    host = host.substr(0, colon);
  }
  const bool is_address =
      host.starts_with('[') ||
      host.find_first_not_of("0123456789.") == std::string_view::npos;
  return !is_address && !EqualsIgnoringCase(host, "localhost");
}

absl::StatusOr<Caller> OperatorPages::Authorize(const HttpRequest& request,
                                                Scope scope) const {
  return view_.access->Authorize(ToBearer(request.authorization), scope);
}

bool OperatorPages::IsOperator(const HttpRequest& request) const {
  const auto caller =
      view_.access->Authorize(ToBearer(request.authorization), Scope::kManage);
  return caller.ok() && caller->tenant == Tenant();
}

HttpResponse OperatorPages::AnswerMetrics(const HttpRequest& request) const {
  if (!address_.IsLocal()) {
    const auto caller = Authorize(request, Scope::kObserve);
    if (!caller.ok()) return TokenWanted(caller.status());
    if (!IsOperator(request)) {
      return PlainAnswer(
          403, "metrics take a token that allows to manage, of no tenant\n");
    }
  }
  return {.content_type = kMetricsContentType, .body = FormatMetrics(view_)};
}

HttpResponse OperatorPages::AnswerHealth() const {
  return view_.is_serving() ? PlainAnswer(200, "serving\n")
                            : PlainAnswer(503, "not serving\n");
}

HttpResponse OperatorPages::AnswerStatus(const HttpRequest& request) const {
  const auto caller = Authorize(request, Scope::kObserve);
  if (!caller.ok()) return TokenWanted(caller.status());
  const StatusReader reader = {
      .tenant = caller->tenant,
      .may_play = Authorize(request, Scope::kPlay).ok(),
      .is_operator = IsOperator(request)};
  return {.content_type = kHtml,
          .body = FormatStatusPage(view_, reader),
          .fields = {{"Content-Security-Policy", kStatusPagePolicy}}};
}

HttpResponse OperatorPages::AnswerReplay(const HttpRequest& request) const {
  const auto caller = Authorize(request, Scope::kPlay);
  if (!caller.ok()) return TokenWanted(caller.status());
  const std::string_view path = request.path;
  return AnswerReplayPage(*view_.operations, caller->tenant,
                          path.substr(kReplayPagePrefix.size()));
}

}  // namespace reprise::services
