# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""What is done with packs of a server: seeing which there are, bringing some."""

import pathlib
import uuid

import grpc

from reprise.errors import RepriseError
from reprise.v1 import catalog_service_pb2 as catalog

# Small beside the limit of every message, large enough that its cost vanishes.
_PIECE_BYTES = 1 << 20


def _is_hidden(path):
  return any(part.startswith(".") for part in path.parts)


def _files_of(folder):
  """Paths within a pack's folder and what is there, as `reprise pack build`
  takes them: neither what is hidden nor the pack's own tests."""
  for path in sorted(folder.rglob("*")):
    relative = path.relative_to(folder)
    if path.is_file() and not _is_hidden(relative) and (
        relative.parts[0] != "tests"):
      yield relative.as_posix(), path.read_bytes()


def _pieces_of_files(name, files):
  for path, data in files:
    for begin in range(0, max(len(data), 1), _PIECE_BYTES):
      yield catalog.UploadPackRequest(
          name=name, path=path, data=data[begin:begin + _PIECE_BYTES])


def _pieces_of_archive(name, data):
  for begin in range(0, max(len(data), 1), _PIECE_BYTES):
    yield catalog.UploadPackRequest(
        name=name, archive=data[begin:begin + _PIECE_BYTES])


class PackCalls:
  """The part of Client that is about packs."""

  def list_packs(self):
    """All packs that there are, without their descriptions."""
    return self._list(self.catalog.ListPacks, catalog.ListPacksRequest,
                      lambda page: page.packs)

  def get_pack(self, name, want_meshes=False, digest=""):
    """All that there is in a pack."""
    return self.call(self.catalog.GetPack, catalog.GetPackRequest(
        pack=name, want_meshes=want_meshes, digest=digest)).pack

  def upload_pack(self, name, pack):
    """Has the server keep a pack of yours under a name; returns what it says of
    it. `pack` is the path of its folder, or of an archive as `reprise pack
    build` makes it, or an archive's bytes. Mistakes raise RepriseError, with
    the places of all that the server found in `mistakes`."""
    if isinstance(pack, bytes):
      pieces = _pieces_of_archive(name, pack)
    elif pathlib.Path(pack).is_dir():
      pieces = _pieces_of_files(name, _files_of(pathlib.Path(pack)))
    else:
      pieces = _pieces_of_archive(name, pathlib.Path(pack).read_bytes())
    try:
      return self.catalog.UploadPack(pieces, timeout=self.timeout_s).pack
    except grpc.RpcError as error:
      raise RepriseError.of_call(error) from None

  def delete_pack(self, name, digest=""):
    """Forgets a pack that was uploaded; without a digest all of that name."""
    self.call(self.catalog.DeletePack, catalog.DeletePackRequest(
        pack=name, digest=digest, request_id=str(uuid.uuid4())))
