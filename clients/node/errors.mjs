// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a refused request says, from both of its forms: a call that fails, and a
// response of a stream that carries a google.rpc.Status.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import grpc from "@grpc/grpc-js";
import protobuf from "protobufjs";

// A request that was refused or failed: `code` is a number of grpc.status,
// `reason` one of those that docs/server_calls.md lists, `metadata` an object of
// what the error is about.
export class RepriseError extends Error {
  constructor(code, reason, message, metadata = {}) {
    super(`${message} (${reason})`);
    this.name = "RepriseError";
    this.code = code;
    this.reason = reason;
    this.metadata = metadata;
  }
}

class ErrorReader {
  // `folder` has google/rpc.
  constructor(folder) {
    const root = new protobuf.Root();
    root.resolvePath = (_, target) =>
      target.startsWith("google/protobuf/") ? target : join(folder, target);
    root.loadSync(["google/rpc/status.proto", "google/rpc/error_details.proto"]);
    this.status = root.lookupType("google.rpc.Status");
    this.errorInfo = root.lookupType("google.rpc.ErrorInfo");
  }

  // Of a google.rpc.Status, as a message of a stream has it.
  ofStatus({ code, message, details }) {
    const detail = details.find(({ type_url: type }) =>
      type.endsWith("/google.rpc.ErrorInfo"));
    const info = detail && this.errorInfo.decode(detail.value);
    return new RepriseError(
      code, info?.reason || nameOf(code), message, { ...info?.metadata });
  }

  // Of what a call of grpc-js fails with.
  ofCall(error) {
    const [bytes] = error.metadata?.get("grpc-status-details-bin") ?? [];
    if (bytes) {
      try {
        return this.ofStatus(this.status.decode(bytes));
      } catch {
        // Somebody between here and the server has changed it.
      }
    }
    return new RepriseError(
      error.code, nameOf(error.code), error.details ?? error.message);
  }
}

function nameOf(code) {
  return grpc.status[code] ?? "UNKNOWN";
}

// The messages of the package.
export const PROTO_FOLDER =
  join(dirname(fileURLToPath(import.meta.url)), "proto");
export const errors = new ErrorReader(PROTO_FOLDER);
