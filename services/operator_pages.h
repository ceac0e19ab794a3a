// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the server answers over HTTP: /metrics for Prometheus, /healthz for who
// restarts it, / for people, and a page for each replay. Who may see what is as
// with calls.

#ifndef REPRISE_SERVICES_OPERATOR_PAGES_H_
#define REPRISE_SERVICES_OPERATOR_PAGES_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "services/base/access.h"
#include "services/base/listen_address.h"
#include "services/base/scope.h"
#include "services/http/http_request.h"
#include "services/http/http_server.h"
#include "services/operator_metrics.h"

namespace reprise::services {

// Used by one thread at a time.
class OperatorPages {
 public:
  // For who reaches the server at `address`.
  OperatorPages(const OperatorView& view, const ListenAddress& address)
      : view_(view), address_(address) {}

  HttpResponse Answer(const HttpRequest& request) const;

 private:
  // Whether a browser asked for us by a name that may be somebody else's: pages
  // of others can have theirs lead to this machine.
  bool IsMisdirected(const HttpRequest& request) const;

  // The caller with the token of the request. Errors are Access::Authorize's.
  absl::StatusOr<Caller> Authorize(const HttpRequest& request,
                                   Scope scope) const;
  // Whether the caller may see what is of the whole server.
  bool IsOperator(const HttpRequest& request) const;

  HttpResponse AnswerMetrics(const HttpRequest& request) const;
  HttpResponse AnswerHealth() const;
  HttpResponse AnswerStatus(const HttpRequest& request) const;
  // Making one takes what ExportReplay does.
  HttpResponse AnswerReplay(const HttpRequest& request) const;

  const OperatorView view_;
  const ListenAddress address_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OPERATOR_PAGES_H_
