#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Tries the plug-in on three cores of Debian's with the games of this folder.

usage: try_cores.py REPRISE LIBRARY

Each game is assembled, and played with random inputs in each of its cores,
recorded and verified; one is drawn, twice the same. Both cores of the Game Boy have to agree on the game's
memory at each tick that is looked at. What `reprise conform` says of each core
has to be what docs/libretro.md says.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_TICKS = 600

# Of each core: its game, and what conform says of some checks; None: all hold.
_CORES = {
    "mgba": ("gb", None),
    "gambatte": ("gb", {"restored": "clock", "again": "clock"}),
    "nestopia": ("nes", {"restored": "uninitialised-memory",
                         "memory": "uninitialised-memory"}),
}

_ASSEMBLE = {
    "nes": [["ca65", "-g", "catch.s", "-o", "catch.o"],
            ["ld65", "-C", "catch.cfg", "catch.o", "-o", "catch.nes", "-Ln",
             "catch.labels"]],
    "gb": [["sdasgb", "-o", "catch.rel", "catch.s"],
           ["sdldgb", "-n", "-i", "catch.ihx", "catch.rel"],
           ["makebin", "-Z", "catch.ihx", "catch.gb"]],
}
_KEPT = ("pack.txtpb", "core.txt", "symbols.txt", "catch.nes", "catch.gb",
         "catch.labels")


def run(words, folder=None, codes=(0,)):
  """Returns what a program prints; it has to end with one of the codes."""
  result = subprocess.run(words, cwd=folder, capture_output=True, text=True,
                          check=False)
  if result.returncode not in codes:
    raise AssertionError(f"{' '.join(words)} ends with {result.returncode}:\n"
                         f"{result.stdout}{result.stderr}")
  return result.stdout


def make_pack(core, into):
  """Assembles the core's game, and returns the folder of its pack."""
  game = _CORES[core][0]
  work = os.path.join(into, f"work_{core}")
  shutil.copytree(os.path.join(_FOLDER, "game", game), work)
  for words in _ASSEMBLE[game]:
    run(words, folder=work)
  pack = os.path.join(into, f"pack_{core}")
  os.mkdir(pack)
  for name in _KEPT:
    path = os.path.join(work, name)
    if os.path.exists(path):
      shutil.copy(path, pack)
  settings = os.path.join(pack, "core.txt")
  with open(settings, encoding="utf-8") as file:
    lines = [line for line in file if not line.startswith("core ")]
  with open(settings, "w", encoding="utf-8") as file:
    file.writelines(lines + [f"core {core}\n"])
  return pack


def memory_at(reprise, library, replay, tick):
  """Returns the game's memory by name."""
  text = run([reprise, "--plugin", library, "inspect", replay, "--tick",
              str(tick), "--format", "json"])
  # A core may print before.
  document = json.loads(text[text.index("{"):])
  for room in document["rooms"]:
    if room["room"] == "game":
      return room["tables"][0]["rows"][0]["fields"]
  raise AssertionError(f"{replay} has no room 'game' at tick {tick}")


def check_mistakes(reprise, library, pack):
  """Has packs with mistakes refused, each by its file and line."""
  settings = os.path.join(pack, "core.txt")
  with open(settings, encoding="utf-8") as file:
    good = file.read()
  lines = good.count("\n")
  for wrong, sentence in (
      ("colour red\n", f"core.txt:{lines + 1}: it is none of core, rom"),
      ("core ../evil\n", f"core.txt:{lines + 1}: a core is a name"),
      ("core nowhere\n", "nowhere_libretro.so: No such file"),
      ("players 9\n", f"core.txt:{lines + 1}: players are 1 to 4"),
      ("rom none.gb\n", "there is no file of the rom"),
      ("rom core.txt\n", "it takes no such game"),
      ("won nobody 3\n", "won or lost has a name that no symbol has"),
      ("symbols pack.txtpb\n", "pack.txtpb:2: it is neither"),
  ):
    with open(settings, "w", encoding="utf-8") as file:
      file.write(good + wrong)
    result = subprocess.run([reprise, "--plugin", library, "run", pack,
                             "--ticks", "1"], capture_output=True, text=True,
                            check=False)
    assert result.returncode == 2 and sentence in result.stderr, (
        f"{wrong.strip()}: ends with {result.returncode}\n{result.stderr}")
  with open(settings, "w", encoding="utf-8") as file:
    file.write(good)


def check_pictures(reprise, library, replay):
  """Has a game that moves drawn twice, to the same pictures."""
  first, again = (run([reprise, "--plugin", library, "render", replay,
                       "--size", "256x240", "--every", "60", "--digests"])
                  for _ in range(2))
  assert first == again, f"{replay} is drawn in two ways:\n{first}{again}"
  pictures = {line.split()[1] for line in first.splitlines()}
  assert len(pictures) > 1, f"{replay}: nothing moves in {first}"


def check_conformance(reprise, library, core, pack):
  """Holds what conform says of a core against what is known of it."""
  text = run([reprise, "conform", library, pack, "--format", "json"],
             codes=(0, 1))
  document = json.loads(text[text.index("{"):])
  failed = {check["check"]: check["kind"] for check in document["checks"]
            if "kind" in check}
  print(f"{core}: {failed or 'all checks hold'}")
  known = _CORES[core][1]
  if known is None:
    assert not failed, f"{core} holds the contract no more: {failed}"
    return
  for check, kind in known.items():
    assert failed.get(check) == kind, f"{core}: {check} shows no {kind}"


def main(arguments):
  """Tries all; an AssertionError says what isn't so."""
  if len(arguments) != 2:
    print(__doc__, file=sys.stderr)
    return 2
  reprise, library = map(os.path.abspath, arguments)
  with tempfile.TemporaryDirectory() as folder:
    replays = {}
    for core in _CORES:
      pack = make_pack(core, folder)
      replay = os.path.join(folder, f"{core}.mcap")
      replays[core] = replay
      # The game may be lost.
      run([reprise, "--plugin", library, "run", pack, "--random-inputs", "1",
           "--ticks", str(_TICKS), "--record", replay], codes=(0, 1))
      if core != "gambatte":  # whose state has a clock in it
        printed = run([reprise, "--plugin", library, "verify", replay])
        assert f"verified {_TICKS} of {_TICKS}" in printed, printed
      check_conformance(reprise, library, core, pack)
      if core == "mgba":
        check_mistakes(reprise, library, pack)
      if core == "nestopia":
        check_pictures(reprise, library, replay)
    for tick in range(30, _TICKS, 30):
      one, other = (memory_at(reprise, library, replays[core], tick)
                    for core in ("mgba", "gambatte"))
      assert one == other, f"tick {tick}: mgba has {one}, gambatte {other}"
    print(f"mgba and gambatte have the same memory over {_TICKS} ticks")
  return 0


if __name__ == "__main__":
  try:
    sys.exit(main(sys.argv[1:]))
  except AssertionError as error:
    print(error, file=sys.stderr)
    sys.exit(1)
