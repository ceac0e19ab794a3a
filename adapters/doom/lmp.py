#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Demos of Doom (.lmp) to packs and inputs of Reprise, and back.

usage: lmp.py pack WAD DEMO FOLDER     the level of a demo as a pack
       lmp.py inputs DEMO FILE.csv     what its players did
       lmp.py demo FOLDER FILE.csv DEMO.lmp
                                       back: a pack and inputs, as
                                       `reprise cat --csv` writes them

DEMO is a file, or WAD:DEMO1 for a lump of a WAD.
"""

import csv
import os
import sys

import wad

_VERSION = 109
_VERSION_LONG = 111  # turns of two bytes
_END = 0x80

# The buttons of a ticcmd, and the bits of ours (game.c).
_ATTACK, _USE, _CHANGE, _SPECIAL = 1, 2, 4, 128
_PAUSE = 1
_OUR_ATTACK, _OUR_USE, _OUR_PAUSE, _OUR_WEAPON = 0, 1, 2, 3

_SETTINGS = ("skill", "episode", "map", "deathmatch", "respawn", "fast",
             "no_monsters")


class Demo:
  """The game of a demo, and of each tic the ticcmds of its players."""

  def __init__(self, settings, players, tics):
    self.settings = settings  # by name
    self.players = players
    self.tics = tics  # of (forward, side, turn, buttons) for each player


def read_bytes(path):
  """Returns the bytes of a demo: a file, or WAD:LUMP."""
  if ":" in path:
    file, name = path.rsplit(":", 1)
    return wad.lump(wad.read(file), name.upper())
  with open(path, "rb") as file:
    return file.read()


def _signed(value, bits):
  return value - (1 << bits) if value >> (bits - 1) else value


def parse(data):
  """Returns the Demo of the bytes of a demo of Doom 1.9, or with long turns."""
  if not data or data[0] not in (_VERSION, _VERSION_LONG):
    raise ValueError(f"version {data[0] if data else 'none'} isn't 109 or 111")
  is_long = data[0] == _VERSION_LONG
  settings = dict(zip(_SETTINGS, data[1:8]))
  in_game = [bool(one) for one in data[9:13]]
  players = sum(in_game)
  if in_game != [i < players for i in range(4)] or players == 0:
    raise ValueError(f"its players are {in_game}, not the first ones")
  size = 5 if is_long else 4
  tics = []
  at = 13
  while at < len(data) and data[at] != _END:
    tic = []
    for _ in range(players):
      command = data[at:at + size]
      if len(command) < size:
        raise ValueError(f"it ends within tic {len(tics)}")
      turn = (command[2] | command[3] << 8) if is_long else command[2] << 8
      tic.append((_signed(command[0], 8), _signed(command[1], 8),
                  _signed(turn, 16), command[-1]))
      at += size
    tics.append(tic)
  return Demo(settings, players, tics)


def format_demo(demo):
  """Returns the bytes that parse() reads; long turns only where they are."""
  is_long = any(turn & 0xff for tic in demo.tics for _, _, turn, _ in tic)
  data = bytearray([_VERSION_LONG if is_long else _VERSION])
  data += bytes(demo.settings[name] for name in _SETTINGS)
  data += bytes([0] + [int(i < demo.players) for i in range(4)])
  for tic in demo.tics:
    for forward, side, turn, buttons in tic:
      data += bytes([forward & 0xff, side & 0xff])
      data += bytes([turn & 0xff] if is_long else [])
      data += bytes([turn >> 8 & 0xff, buttons])
  return bytes(data + bytes([_END]))


def to_device(command):
  """Returns (buttons, axes) of ours for a ticcmd."""
  forward, side, turn, buttons = command
  axes = [max(forward * 256, -32767), max(side * 256, -32767),
          max(turn, -32767)]
  held = 0
  if buttons & _SPECIAL:
    if buttons & 3 == _PAUSE:
      held |= 1 << _OUR_PAUSE
    elif buttons & 3 != 0:
      raise ValueError("it saves the game, which plug-ins can't")
  else:
    if buttons & _ATTACK:
      held |= 1 << _OUR_ATTACK
    if buttons & _USE:
      held |= 1 << _OUR_USE
    if buttons & _CHANGE:
      held |= 1 << (_OUR_WEAPON + (buttons >> 3 & 7))
  return held, axes


def to_command(held, axes):
  """Returns the ticcmd that the plug-in makes of what is held."""
  forward, side = (min(axis + 128 >> 8, 127) for axis in axes[:2])
  turn = -32768 if axes[2] == -32767 else axes[2]
  if held >> _OUR_PAUSE & 1:
    return forward, side, turn, _SPECIAL | _PAUSE
  buttons = (held >> _OUR_ATTACK & 1) * _ATTACK
  buttons |= (held >> _OUR_USE & 1) * _USE
  for weapon in range(8):
    if held >> (_OUR_WEAPON + weapon) & 1:
      buttons |= _CHANGE | weapon << 3
      break
  return forward, side, turn, buttons


def write_inputs(demo, path, pack):
  """Writes the inputs of a demo, a row wherever a player does another thing."""
  with open(path, "w", encoding="utf-8") as file:
    file.write(f'# pack: "{pack}"\n# tick_count: {len(demo.tics)}\n')
    file.write("tick,player,buttons,axis_0,axis_1,axis_2\n")
    last = [(0, [0, 0, 0])] * demo.players
    for tick, tic in enumerate(demo.tics):
      for player, command in enumerate(tic):
        device = to_device(command)
        if device != last[player]:
          file.write(f"{tick},{player},{device[0]},"
                     f"{','.join(map(str, device[1]))}\n")
        last[player] = device


def read_inputs(path, players):
  """Returns the tics of a file of inputs."""
  tick_count = None
  rows = []
  with open(path, encoding="utf-8") as file:
    for line in file:
      if line.startswith("# tick_count:"):
        tick_count = int(line.split(":")[1])
      elif not line.startswith("#"):
        rows.append(line)
  held = [(0, [0, 0, 0])] * players
  changes = {}
  for row in csv.DictReader(rows):
    device = (int(row.get("buttons") or 0),
              [int(row.get(f"axis_{i}") or 0) for i in range(3)])
    changes.setdefault(int(row["tick"]), []).append(
        (int(row.get("player") or 0), device))
  if tick_count is None:
    tick_count = max(changes, default=-1) + 1
  tics = []
  for tick in range(tick_count):
    for player, device in changes.get(tick, []):
      held[player] = device
    tics.append([to_command(*device) for device in held])
  return tics


def write_pack(wad_path, demo, folder):
  """Writes the pack of the level that a demo plays."""
  lumps = wad.read(wad_path)
  is_doom2 = any(name == "MAP01" for name, _ in lumps)
  settings = demo.settings
  level = (f"MAP{settings['map']:02}"
           if is_doom2 else f"E{settings['episode']}M{settings['map']}")
  os.makedirs(folder, exist_ok=True)
  name = os.path.basename(os.path.normpath(folder))
  with open(os.path.join(folder, "pack.txtpb"), "w", encoding="utf-8") as file:
    file.write(f'name: "{name}"\nsimulation: "doom"\n')
  with open(os.path.join(folder, "game.txt"), "w", encoding="utf-8") as file:
    file.write(f"is_doom2 {int(is_doom2)}\nplayers {demo.players}\n")
    for setting in _SETTINGS:
      file.write(f"{setting} {settings[setting]}\n")
  with open(os.path.join(folder, "levels.wad"), "wb") as file:
    file.write(wad.write(wad.cut_level(lumps, level)))


def _read_settings(folder):
  with open(os.path.join(folder, "game.txt"), encoding="utf-8") as file:
    return {name: int(value) for name, value in map(str.split, file)}


def main(arguments):
  """Runs what the arguments ask for; 2 where they ask for nothing."""
  match arguments:
    case ["pack", wad_path, demo, folder]:
      write_pack(wad_path, parse(read_bytes(demo)), folder)
    case ["inputs", demo, path]:
      write_inputs(parse(read_bytes(demo)), path, "")
    case ["demo", folder, path, demo]:
      settings = _read_settings(folder)
      tics = read_inputs(path, settings["players"])
      with open(demo, "wb") as file:
        file.write(format_demo(Demo(settings, settings["players"], tics)))
    case _:
      print(__doc__, file=sys.stderr)
      return 2
  return 0


if __name__ == "__main__":
  try:
    sys.exit(main(sys.argv[1:]))
  except (OSError, ValueError, KeyError) as error:
    print(f"lmp.py: {error}", file=sys.stderr)
    sys.exit(1)
