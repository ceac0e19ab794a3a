# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""WADs: lumps with names in an order. Reads them, and cuts out a level."""

import struct

_LEVEL_LUMPS = ("THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SEGS",
                "SSECTORS", "NODES", "SECTORS", "REJECT", "BLOCKMAP")


def read(path):
  """Returns the lumps of a WAD, as (name, bytes)."""
  with open(path, "rb") as file:
    data = file.read()
  kind, count, directory = struct.unpack_from("<4sII", data)
  if kind not in (b"IWAD", b"PWAD"):
    raise ValueError(f"{path}: it is no WAD")
  lumps = []
  for i in range(count):
    begin, size, name = struct.unpack_from("<II8s", data, directory + 16 * i)
    lumps.append((name.split(b"\0")[0].decode("ascii").upper(),
                  data[begin:begin + size]))
  return lumps


def write(lumps):
  """Returns the bytes of a WAD of lumps."""
  body = b""
  directory = b""
  for name, data in lumps:
    directory += struct.pack("<II8s", 12 + len(body), len(data),
                             name.encode("ascii"))
    body += data + b"\0" * (-len(data) % 4)
  return struct.pack("<4sII", b"PWAD", len(lumps),
                     12 + len(body)) + body + directory


def lump(lumps, name):
  """Returns the bytes of the last lump of a name; KeyError if there is none."""
  for one, data in reversed(lumps):
    if one == name:
      return data
  raise KeyError(f"there is no lump {name}")


def cut_level(lumps, name):
  """Returns what the rules of a level read: its lumps, the textures, and the
  names of the flats. No pictures."""
  names = [one for one, _ in lumps]
  begin = names.index(name)
  if tuple(names[begin + 1:begin + 11]) != _LEVEL_LUMPS:
    raise ValueError(f"{name} isn't followed by the lumps of a level")
  flats = lumps[names.index("F_START"):names.index("F_END") + 1]
  textures = [(one, data)
              for one, data in lumps
              if one in ("TEXTURE1", "TEXTURE2")]
  # The secret level of Doom II is looked for by name alone.
  marks = [(one, b"") for one in ("MAP31",) if one in names and one != name]
  return (lumps[begin:begin + 11] + textures + [(one, b"") for one, _ in flats
                                               ] + marks)
