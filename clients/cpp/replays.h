// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Replays that are brought to a server, and what it is asked to find out about
// those that it keeps: operations, each carried out in a process of its own.

#ifndef REPRISE_CLIENTS_CPP_REPLAYS_H_
#define REPRISE_CLIENTS_CPP_REPLAYS_H_

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client.h"
#include "reprise/v1/operation_service.pb.h"
#include "reprise/v1/replay_service.pb.h"

namespace reprise::client {

// Sends the bytes of a replay, from where an earlier upload of them broke off,
// and returns the replay; bytes that the server has are that one. Whatever came
// of an upload that fails, as by ClientOptions::timeout, is gone on from by the
// next one.
absl::StatusOr<v1::Replay> UploadReplay(Client& client, std::string_view bytes);

// Each begins an operation, which Wait waits for. Of a request without an id
// one is made, so that it begins no second one when it is repeated.
absl::StatusOr<v1::Operation> VerifyReplay(Client& client,
                                           v1::VerifyReplayRequest request);
absl::StatusOr<v1::Operation> CompareReplays(Client& client,
                                             v1::CompareReplaysRequest request);
absl::StatusOr<v1::Operation> QueryReplay(Client& client,
                                          v1::QueryReplayRequest request);
absl::StatusOr<v1::Operation> ExportReplay(Client& client,
                                           v1::ExportReplayRequest request);
absl::StatusOr<v1::Operation> RenderReplay(Client& client,
                                           v1::RenderReplayRequest request);

// How one stands. NOT_FOUND: there is none any more.
absl::StatusOr<v1::Operation> GetOperation(Client& client,
                                           const std::string& name);

// Returns it when it has ended, also by being cancelled. Where it failed that
// is the error, with its ErrorInfo, but for a verification, whose verdict says
// so. `on_progress` is called with each look at it, of which there are two a
// second or more.
absl::StatusOr<v1::Operation> Wait(
    Client& client, v1::Operation operation,
    const std::function<void(const v1::Operation&)>& on_progress = nullptr);

// Has it end without a result; one that has ended stays as it is.
absl::Status CancelOperation(Client& client, const std::string& name);

// Forgets it with its files.
absl::Status DeleteOperation(Client& client, const std::string& name);

// The bytes of one of its files: "values.csv".
absl::StatusOr<std::string> DownloadResult(Client& client,
                                           const std::string& name,
                                           const std::string& file);

}  // namespace reprise::client

#endif  // REPRISE_CLIENTS_CPP_REPLAYS_H_
