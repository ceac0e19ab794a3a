#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Tries Doom as a plug-in on the demos of Freedoom.

usage: try_demos.py REPRISE PLUGIN STOCK_DOOM FREEDOOM [OTHER_PLUGIN]
                    [--short | --figures]

Each demo is turned into a pack and inputs, and back to the same bytes; played
to its end and recorded; held against the engine as it comes, tic by tic;
verified, in one process, between its keyframes and by another build. One has
an input changed, which diff has to name. In a level of two rooms, a bot finds
the exit. --short plays one demo, and conforms on it. --figures
only measures the fourth demos: tics a second, verified and as the engine comes.
"""

import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile

import lmp
import rooms
import wad

_FIELDS = ("random_index", "x", "y", "z", "angle", "momx", "momy", "health",
           "viewz", "killcount", "itemcount")
_TICS_PER_SECOND = 35


class Trial:
  """One demo of a WAD, in a folder of its own."""

  def __init__(self, programs, demo, folder):
    self._reprise = [programs[0], "--plugin", programs[1]]
    self._stock = programs[2]
    self._wad, self._lump = demo
    self.name = f"{os.path.basename(self._wad)[:-4]}_{self._lump.lower()}"
    self.pack = os.path.join(folder, self.name)
    self.inputs = self.pack + ".csv"
    self.replay = self.pack + ".mcap"

  def run(self, *arguments, expected=(0,)):
    """Runs reprise; what it printed."""
    result = subprocess.run([*self._reprise, *arguments],
                            capture_output=True,
                            text=True,
                            check=False)
    if result.returncode not in expected:
      raise AssertionError(f"{self.name}: {arguments[0]} ended with "
                           f"{result.returncode}: {result.stdout}"
                           f"{result.stderr}")
    return result.stdout

  def convert(self):
    """Demo to pack and inputs; the number of tics."""
    data = lmp.read_bytes(f"{self._wad}:{self._lump}")
    demo = lmp.parse(data)
    lmp.write_pack(self._wad, demo, self.pack)
    lmp.write_inputs(demo, self.inputs, self.name)
    back = lmp.Demo(demo.settings, demo.players,
                    lmp.read_inputs(self.inputs, demo.players))
    if lmp.format_demo(back) != data:
      raise AssertionError(f"{self.name}: the demo doesn't come back")
    return len(demo.tics)

  def record(self, *more):
    """Plays it to its end."""
    return self.run("run", self.pack, "--inputs", self.inputs, "--record",
                    self.replay, *more)

  def series(self, expression, tics):
    """Returns the values of a number at the ticks 1 to `tics`."""
    told = json.loads(
        self.run("query", self.replay, "--watch", expression, "--limit",
                 "1000000", "--format", "json", "--jobs", "2",
                 expected=(0, 1)))  # 1: it never changes
    changes = told["files"][0].get("changes", [])
    first = changes[0]["from"] if changes else None
    values = []
    at = 0
    value = first
    for tick in range(tics + 1):
      while at < len(changes) and changes[at]["tick"] == tick:
        value = changes[at]["to"]
        at += 1
      values.append(value)
    return values[1:]

  def compare(self, tics):
    """Holds it against the engine as it comes."""
    text = subprocess.run([self._stock, self._wad,
                           self._lump.lower(), "0"],
                          capture_output=True,
                          text=True,
                          check=True).stdout
    lines = [line.split() for line in text.splitlines()]
    stock = [line[1:] for line in lines if len(line) == len(_FIELDS) + 1]
    if len(stock) != tics:
      raise AssertionError(f"{self.name}: {len(stock)} tics, not {tics}")
    mobj = re.search(r"mobj: (mobj_\d+)",
                     self.run("inspect", self.replay, "--tick", "0"))[1]
    for i, field in enumerate(_FIELDS):
      table = {0: "level", 8: "player", 9: "player", 10: "player"}
      where = (f"{table[i]}.{field}" if i in table else f"{mobj}.mobj.{field}")
      ours = self.series(where, tics)
      if ours[0] is None and len({tic[i] for tic in stock}) > 1:
        raise AssertionError(f"{self.name}: {where} never changes")
      for tic in range(tics):
        if ours[tic] is not None and ours[tic] != stock[tic][i]:
          raise AssertionError(
              f"{self.name}: tic {tic + 1}: {where} is {ours[tic]}, and "
              f"{stock[tic][i]} in the engine as it comes")

  def verify(self):
    """Verifies it, in one go and between keyframes."""
    whole = self.run("verify", self.replay)
    parts = self.run("verify", self.replay, "--threads", "2")
    if "verified" not in whole or "verified" not in parts:
      raise AssertionError(f"{self.name}: {whole}{parts}")

  def verify_with(self, plugin):
    """Verifies it by another build of the plug-in."""
    told = subprocess.run([self._reprise[0], "--plugin", plugin, "verify",
                           self.replay], capture_output=True, text=True,
                          check=False)
    if told.returncode != 0 or "verified" not in told.stdout:
      raise AssertionError(f"{self.name}: {plugin}: {told.stdout}{told.stderr}")

  def check_frames(self, tick):
    """Has a frame show the level and the things in it."""
    told = self.run("export", self.replay, "--from", str(tick), "--to",
                    str(tick), "--format", "jsonl")
    types = {one.get("type") for line in told.splitlines()
             for one in json.loads(line).get("objects", ())}
    if types != {"player", "thing", "wall"}:
      raise AssertionError(f"{self.name}: a frame shows {types}")

  def change_input(self, tick):
    """Changes one input; what diff names."""
    tics = lmp.read_inputs(self.inputs, 1)
    forward, side, turn, buttons = tics[tick][0]
    tics[tick][0] = (0 if forward else 50, side, turn, buttons)
    demo = lmp.parse(lmp.read_bytes(f"{self._wad}:{self._lump}"))
    other = self.pack + "_changed"
    lmp.write_inputs(lmp.Demo(demo.settings, 1, tics), other + ".csv",
                     self.name)
    self.run("run", self.pack, "--inputs", other + ".csv", "--record",
             other + ".mcap")
    told = self.run("diff", self.replay, other + ".mcap", expected=(1,))
    if not re.search(r"mobj_\d+ ", told) or "mom" not in told:
      raise AssertionError(f"{self.name}: diff names no map object: {told}")
    return told


def find_exit(programs, freedoom, folder):
  """Has a bot open a door and press the switch of an exit, and verifies it."""
  levels = os.path.join(folder, "rooms.wad")
  with open(levels, "wb") as file:
    file.write(rooms.make(wad.read(os.path.join(freedoom, "freedoom2.wad"))))
  settings = {"skill": 2, "episode": 1, "map": 1, "deathmatch": 0,
              "respawn": 0, "fast": 0, "no_monsters": 0}
  pack = os.path.join(folder, "rooms")
  lmp.write_pack(levels, lmp.Demo(settings, 1, []), pack)
  reprise = [programs[0], "--plugin", programs[1]]
  for words in (["run", pack, "--bot", "0:towards", "--goal",
                 "outcome == won", "--nearer", "mobj_1.mobj.x", "--record",
                 pack + ".mcap"],
                ["verify", pack + ".mcap", "--outcome", "won"]):
    result = subprocess.run([*reprise, *words], capture_output=True, text=True,
                            check=False)
    if result.returncode != 0:
      raise AssertionError(f"rooms: {words[0]}: {result.stdout}{result.stderr}")
  print(f"rooms: a bot found the exit: {result.stdout.strip()}")


def processor_seconds(words):
  """Returns what a program takes of a processor, by the median of five runs."""
  times = []
  for _ in range(5):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    times.append(after.ru_utime + after.ru_stime - before.ru_utime -
                 before.ru_stime)
  return statistics.median(times)


def measure(programs, freedoom):
  """Prints the figures of docs/figures.md that are of whole programs."""
  with tempfile.TemporaryDirectory() as folder:
    for wad in (1, 2):
      demo = (os.path.join(freedoom, f"freedoom{wad}.wad"), "DEMO4")
      trial = Trial(programs, demo, folder)
      tics = trial.convert()
      trial.record()
      engine = tics / processor_seconds([programs[2], demo[0], "demo4", "0"])
      ours = tics / processor_seconds([
          programs[0], "--plugin", programs[1], "verify", trial.replay])
      print(f"{trial.name}: {tics} tics; {engine:.0f} a second by the engine, "
            f"{ours:.0f} verified: {ours / engine:.2f} of it, "
            f"{ours / _TICS_PER_SECOND:.0f} times real time")


def main(arguments):
  """Tries the demos; 1 where one fails."""
  is_short = "--short" in arguments
  is_measured = "--figures" in arguments
  arguments = [one for one in arguments if not one.startswith("--")]
  if len(arguments) not in (4, 5):
    print(__doc__, file=sys.stderr)
    return 2
  programs, freedoom, others = arguments[:3], arguments[3], arguments[4:]
  if is_measured:
    measure(programs, freedoom)
    return 0
  demos = [(os.path.join(freedoom, f"freedoom{wad}.wad"), f"DEMO{demo}")
           for wad in (1, 2)
           for demo in (1, 2, 3, 4)]
  with tempfile.TemporaryDirectory() as folder:
    for i, demo in enumerate(demos[2:3] if is_short else demos):
      trial = Trial(programs, demo, folder)
      tics = trial.convert()
      trial.record()
      trial.compare(tics)
      trial.verify()
      for other in others:
        trial.verify_with(other)
      print(f"{trial.name}: {tics} tics, as the engine's own, verified")
      if i == 0:
        trial.check_frames(tics // 2)
        print(trial.change_input(tics // 4))
        print(trial.run("conform", trial.pack, "--ticks", "300",
                        *(word for other in others
                          for word in ("--build", other))))
    find_exit(programs, freedoom, folder)
  return 0


if __name__ == "__main__":
  try:
    sys.exit(main(sys.argv[1:]))
  except AssertionError as error:
    print(error, file=sys.stderr)
    sys.exit(1)
