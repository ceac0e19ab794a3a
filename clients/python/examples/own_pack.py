#!/usr/bin/python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Brings a pack, is told its mistakes, and plays it once it has none."""

import pathlib
import tempfile

import reprise

PACK = """
name: "drop"
types { name: "ball" body { motion: MOTION_DYNAMIC mass_kg: 1
  shapes { sphere { radius: 1 } } } }
objects { name: "ball" type: "bell" position { y: 5 } }
"""

with reprise.Server() as server, tempfile.TemporaryDirectory() as folder:
  client = reprise.Client(server.address)
  manifest = pathlib.Path(folder) / "pack.txtpb"
  manifest.write_text(PACK)
  try:
    client.upload_pack("drop", folder)
  except reprise.RepriseError as error:
    print(error.mistakes[0].place)
  manifest.write_text(PACK.replace('"bell"', '"ball"'))
  pack = client.upload_pack("drop", folder)
  with client.create_session("drop", pack_digest=pack.digest) as session:
    print(f"tick {session.step(60).tick} of {session.message.pack}")
  client.delete_pack("drop")
