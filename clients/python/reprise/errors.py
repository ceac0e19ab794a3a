# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""How the calls of a server fail."""

import collections

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2
from google.rpc import status_pb2

# What is wrong, and where: "pack.txtpb:12".
Mistake = collections.namedtuple("Mistake", ("place", "message"))

_CODES = {code.value[0]: code for code in grpc.StatusCode}


class RepriseError(Exception):
  """A request that was refused or failed.

  `code` is a grpc.StatusCode, `reason` one of the reasons that
  docs/server_calls.md lists, `metadata` what the error is about. `mistakes` are
  those of a pack, each a Mistake; as many as an error holds.
  """

  def __init__(self, code, reason, message, metadata, mistakes=()):
    super().__init__(f"{message} ({reason})")
    self.code = code
    self.reason = reason
    self.message = message
    self.metadata = metadata
    self.mistakes = tuple(mistakes)

  @classmethod
  def of_status(cls, status):
    """Of a google.rpc.Status."""
    info = error_details_pb2.ErrorInfo()
    request = error_details_pb2.BadRequest()
    for detail in status.details:
      for message in (info, request):
        if detail.Is(message.DESCRIPTOR):
          detail.Unpack(message)
    code = _CODES.get(status.code, grpc.StatusCode.UNKNOWN)
    return cls(code, info.reason or code.name, status.message,
               dict(info.metadata),
               (Mistake(violation.field, violation.description)
                for violation in request.field_violations))

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
