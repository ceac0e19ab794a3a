# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""How the calls of a server fail."""

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2
from google.rpc import status_pb2

_CODES = {code.value[0]: code for code in grpc.StatusCode}


class RepriseError(Exception):
  """A request that was refused or failed.

  `code` is a grpc.StatusCode, `reason` one of the reasons that
  docs/server_calls.md lists, `metadata` what the error is about.
  """

  def __init__(self, code, reason, message, metadata):
    super().__init__(f"{message} ({reason})")
    self.code = code
    self.reason = reason
    self.message = message
    self.metadata = metadata

  @classmethod
  def of_status(cls, status):
    """Of a google.rpc.Status."""
    info = error_details_pb2.ErrorInfo()
    for detail in status.details:
      if detail.Is(info.DESCRIPTOR):
        detail.Unpack(info)
    code = _CODES.get(status.code, grpc.StatusCode.UNKNOWN)
    return cls(code, info.reason or code.name, status.message,
               dict(info.metadata))

  @classmethod
  def of_call(cls, error):
    """Of a grpc.RpcError."""
    for key, value in error.trailing_metadata() or ():
      if key == "grpc-status-details-bin":
        try:
          return cls.of_status(status_pb2.Status.FromString(value))
        except DecodeError:
          break
    code = error.code()
    return cls(code, code.name, error.details(), {})
