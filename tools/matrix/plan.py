# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""What the matrix runs: its rows, the ways in which the runner is built and
run; its columns, the games that it runs; and the snapshots it goes on from.
"""

import dataclasses
import random

_MANOR_TRACK = "sim/packs/tracks/manor_theft.txtpb"
_MARBLE = "sim/packs/marble"
_MARBLE_TRACK = "sim/packs/tracks/marble_course.txtpb"
_PILE = "sim/packs/pile"


@dataclasses.dataclass(frozen=True)
class Row:
  """One way of building and running the runner.

  `key` names it on the command line; `target` is what is built in tools/matrix;
  `tier` is the promise that it stands for; `needs` is a feature that the CPU
  must have, as Linux calls it.
  """
  name: str
  key: str
  target: str
  tier: str
  launcher: tuple = ()
  environment: tuple = ()
  needs: str = ""


@dataclasses.dataclass(frozen=True)
class Column:
  """One game: what the runner is given to run."""
  name: str
  source: str
  flags: tuple = ()
  ticks: int | None = None

  @property
  def arguments(self):
    """The runner's arguments behind the verb."""
    ticks = () if self.ticks is None else ("--ticks", str(self.ticks))
    return (self.source, *self.flags, *ticks)

  def until(self, tick):
    """Returns the arguments for the same game up to a tick."""
    return (self.source, *self.flags, "--ticks", str(tick))


@dataclasses.dataclass(frozen=True)
class Snapshots:
  """How many snapshots of a game are gone on from, and how far from each."""
  count: int
  ticks_after: int

  def ticks(self, tick_count):
    """Returns ticks of a game drawn at random, always the same, ascending.

    Of a game that is too short for that they are of its first half.
    """
    population = range(max(tick_count - self.ticks_after, tick_count // 2, 1))
    count = min(self.count, len(population))
    return tuple(sorted(random.Random(tick_count).sample(population, count)))


REFERENCE = Row("gcc -O2", "reference", "runner", "reference")

# glibc chooses its functions by what the CPU says it has.
_NO_FMA = "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA_Usable,-AVX2_Usable"
# What malloc hands out is filled with this byte instead of what lay there.
_OTHER_MEMORY = "glibc.malloc.perturb=165"

ROWS = (
    Row("gcc -O2, again", "again", "runner", "the same binary",
        environment=(("GLIBC_TUNABLES", _OTHER_MEMORY),)),
    Row("gcc -O2, libm without FMA", "no_fma", "runner", "any x86-64 CPU",
        environment=(("GLIBC_TUNABLES", _NO_FMA),)),
    Row("clang -O2", "clang_o2", "clang_o2", "any compiler and level"),
    Row("gcc -O0", "gcc_o0", "gcc_o0", "any compiler and level"),
    Row("gcc -O3 -mavx2 -flto", "gcc_o3_avx2", "gcc_o3_avx2",
        "optimised across files", needs="avx2"),
    Row("aarch64, gcc -O2", "aarch64", "aarch64_gcc_o2", "any architecture",
        launcher=("qemu-aarch64",)),
)

# What must not be: products and sums rounded once. Whoever finds no difference
# here finds none anywhere.
CONTRACTED = Row("gcc -O2 -ffp-contract=fast", "contracted", "gcc_contracted",
                 "canary", needs="fma")

# The smallest change, and how the report of it has to begin.
INJECTION_TICK = 60
INJECTION_PLACE = ("physics.bodies", "ball_7", "linear_velocity.y")
CANARY = Column("canary", _PILE, ticks=INJECTION_TICK)


def injection_flags():
  """Returns the flags that make the runner change one bit."""
  return ("--inject", ":".join((str(INJECTION_TICK), *INJECTION_PLACE)))


def _played(pack, ticks):
  return Column(f"{pack}, random", f"sim/packs/{pack}",
                ("--random-inputs", "1"), ticks)


def _played_by_bots(pack, ticks):
  return Column(f"{pack}, bots", f"sim/packs/{pack}", ("--bots",), ticks)


# Whose tables of tournaments are to be the same everywhere: bots in Lua decide.
BOT_PACKS = ("fighter", "pong", "skirmish")


def columns(short):
  """Returns the project's own games."""
  return (
      Column("manor", "sim/packs/manor", ("--inputs", _MANOR_TRACK)),
      Column("marble", _MARBLE, ("--inputs", _MARBLE_TRACK)),
      _played("marble", 600 if short else 3600),
      *(_played(pack, 300 if short else 1800)
        for pack in ("belfry", "fighter", "ghosts", "guard", "harbour",
                     "manor", "nursery", "parlour", "pong", "quarry", "rally",
                     "skirmish", "terrain", "warren", "workshop")),
      *(_played_by_bots(pack, 300 if short else 1800) for pack in BOT_PACKS),
      # Scripts that do all that none may.
      Column("mistakes", "tests/packs/mistakes",
             ticks=200 if short else 1200),
      Column("pile", _PILE, ticks=180 if short else 600),
      Column("sleepers", "sim/packs/sleepers", ticks=600 if short else 3000),
  )


def snapshots(short):
  """Returns the snapshots of each game."""
  return Snapshots(5, 60) if short else Snapshots(50, 1000)


def snapshot_columns(short):
  """Returns the games that snapshots are made of: all packs, or the quick."""
  packs = ("belfry", "fighter", "ghosts", "guard", "harbour", "manor",
           "marble", "nursery", "parlour", "pong", "quarry", "rally",
           "skirmish", "sleepers", "terrain", "warren", "workshop")
  if short:
    return tuple(_played(pack, 400) for pack in packs)
  return tuple(_played(pack, 2500) for pack in (*packs, "pile"))


# Of so many ticks a game one is drawn.
PICTURE_EVERY = 60


def picture_columns(short):
  """Returns the games that are drawn: with regions, surfaces and joints."""
  return tuple(_played(pack, 120 if short else 900)
               for pack in ("manor", "quarry", "workshop"))


def short_rows(turn):
  """Returns the rows that need no build of their own, and one that does.

  Which one is for `turn`, any number, to say: each has its turn.
  """
  built = [row for row in ROWS if row.target != REFERENCE.target]
  return (*(row for row in ROWS if row not in built),
          built[turn % len(built)])
