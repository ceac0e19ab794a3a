# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""What is done with replays of a server: finding, tagging, sending them, and
operations, which the server carries out in processes of their own."""

import hashlib
import time
import uuid

import grpc

from reprise.errors import RepriseError
from reprise.v1 import operation_service_pb2 as operations
from reprise.v1 import replay_service_pb2 as replays

# Small beside the limit of every message, large enough that its cost vanishes.
_PIECE_BYTES = 1 << 20
_POLL_S = (0.02, 0.5)


class ReplayCalls:
  """The part of Client that is about replays."""

  def get_replay(self, name):
    """What is known of a replay, as a message."""
    return self.call(self.replays.GetReplay,
                     replays.GetReplayRequest(name=name)).replay

  def list_replays(self, **filters):
    """All finished replays that match: `pack`, `outcome`, `tags`, `text`,
    `tick_count_min`, `tick_count_max`, as of ListReplaysRequest."""
    return self._list(
        self.replays.ListReplays,
        lambda page_token: replays.ListReplaysRequest(
            page_token=page_token, **filters), lambda page: page.replays)

  def tag_replay(self, name, add=(), remove=()):
    """Changes its tags; returns the replay."""
    return self.call(self.replays.UpdateReplayTags,
                     replays.UpdateReplayTagsRequest(
                         name=name, add=add, remove=remove,
                         request_id=str(uuid.uuid4()))).replay

  def delete_replay(self, name):
    self.call(self.replays.DeleteReplay, replays.DeleteReplayRequest(
        name=name, request_id=str(uuid.uuid4())))

  def upload(self, data):
    """Sends the bytes of a replay, from where an earlier upload of them broke
    off; returns the replay."""
    digest = hashlib.sha256(data).hexdigest()
    offset = self.call(self.replays.GetUpload, replays.GetUploadRequest(
        digest=digest, size_bytes=len(data))).upload.offset

    def pieces():
      # At least one, which asks for the end of what is there as a whole.
      for begin in range(offset, max(len(data), offset + 1), _PIECE_BYTES):
        yield replays.UploadReplayRequest(
            digest=digest, size_bytes=len(data), offset=begin,
            data=data[begin:begin + _PIECE_BYTES])

    return self.call(self.replays.UploadReplay, pieces()).replay

  def download(self, replay, offset=0, length=0):
    """The bytes of a replay: of the range, or all there are."""
    return self._download(self.replays.DownloadReplay,
                          replays.DownloadReplayRequest(
                              name=replay, offset=offset, length=length))

  def download_live(self, replay, offset=0, length=0):
    """The bytes of a replay that may still be recorded, piece by piece as they
    come: together they are the file, when its recording is finished and the
    generator ends. It waits as long as that takes. One that broke off is gone on
    with from the `offset` behind what has come. Closing the generator ends it."""
    call = self.replays.DownloadReplay(replays.DownloadReplayRequest(
        name=replay, offset=offset, length=length, follow=True))
    try:
      for piece in call:
        yield piece.data
    except grpc.RpcError as error:
      raise RepriseError.of_call(error) from None
    finally:
      call.cancel()

  def verify_replay(self, name, **arguments):
    """Begins to verify it; arguments as of VerifyReplayRequest. As all that
    follow, returns an Operation, which `wait` waits for."""
    return self._begin(self.operations.VerifyReplay,
                       operations.VerifyReplayRequest(name=name, **arguments))

  def compare_replays(self, name, other="", **arguments):
    return self._begin(self.operations.CompareReplays,
                       operations.CompareReplaysRequest(
                           name=name, other=other, **arguments))

  def query_replay(self, name, expressions, **arguments):
    """Computes expressions at its ticks, as the file "values.csv"."""
    return self._begin(self.operations.QueryReplay,
                       operations.QueryReplayRequest(
                           name=name, expressions=expressions, **arguments))

  def export_replay(self, name, export_format, **arguments):
    """`export_format` is "gltf", "usda", "mcap", "csv", "jsonl" or "view"."""
    return self._begin(self.operations.ExportReplay,
                       operations.ExportReplayRequest(
                           name=name, format=f"FORMAT_{export_format.upper()}",
                           **arguments))

  def render_replay(self, name, output, **arguments):
    """`output` is "png" or "mp4"."""
    return self._begin(self.operations.RenderReplay,
                       operations.RenderReplayRequest(
                           name=name, output=f"OUTPUT_{output.upper()}",
                           **arguments))

  def get_operation(self, name):
    return self.call(self.operations.GetOperation,
                     operations.GetOperationRequest(name=name)).operation

  def wait(self, operation, on_progress=None):
    """The operation when it has ended; RepriseError where it failed, but for a
    verification, whose verdict says so. `on_progress` is called with each look
    at it."""
    pause, pause_max = _POLL_S
    while not operation.HasField("end_time"):
      time.sleep(pause)
      pause = min(2 * pause, pause_max)
      operation = self.get_operation(operation.name)
      if on_progress is not None:
        on_progress(operation)
    if operation.HasField("error") and not operation.HasField("verification"):
      raise RepriseError.of_status(operation.error)
    return operation

  def cancel_operation(self, name):
    self.call(self.operations.CancelOperation,
              operations.CancelOperationRequest(name=name))

  def delete_operation(self, name):
    """Forgets it with its files."""
    self.call(self.operations.DeleteOperation,
              operations.DeleteOperationRequest(
                  name=name, request_id=str(uuid.uuid4())))

  def download_result(self, name, file):
    """The bytes of one of the files of an operation."""
    return self._download(
        self.operations.DownloadResult,
        operations.DownloadResultRequest(name=name, file=file))

  def _begin(self, method, request):
    request.settings.request_id = str(uuid.uuid4())
    return self.call(method, request).operation

  def _download(self, method, request):
    try:
      return b"".join(
          piece.data for piece in method(request, timeout=self.timeout_s))
    except grpc.RpcError as error:
      raise RepriseError.of_call(error) from None
