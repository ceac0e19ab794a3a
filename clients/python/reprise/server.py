# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""A server of one's own, on a free loopback port, for tests and notebooks."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

_START_TIMEOUT_S = 30.0


class Server:
  """`reprise serve` as a child: it runs while this is entered.

  `program` is the command, by default $REPRISE_PROGRAM or what the path has;
  `packs` the folder of packs, by default $REPRISE_PACKS; `store` where replays
  are kept, by default a folder that goes with the server; `arguments` further
  ones for `reprise serve`.
  """

  def __init__(self, program=None, packs=None, store=None, arguments=()):
    program = program or os.environ.get("REPRISE_PROGRAM", "reprise")
    self._program = shutil.which(program)
    if self._program is None:
      raise FileNotFoundError(f"there is no program '{program}'")
    self._packs = packs or os.environ.get("REPRISE_PACKS")
    self._store = store
    self._arguments = list(arguments)
    self._folder = None
    self._process = None
    self.address = None

  def __enter__(self):
    self.start()
    return self

  def __exit__(self, *_):
    self.stop()

  def start(self):
    """Returns once the server takes calls at `address`."""
    self._folder = tempfile.TemporaryDirectory()
    folder = pathlib.Path(self._folder.name)
    arguments = [self._program, "serve", "--listen", "127.0.0.1:0",
                 "--store", str(self._store or folder / "store"),
                 "--print-address", str(folder / "address")]
    if self._packs:
      arguments += ["--packs", str(self._packs)]
    arguments += self._arguments
    log = folder / "log"
    with open(log, "wb") as output:
      self._process = subprocess.Popen(arguments, stdout=output, stderr=output)
    end = time.monotonic() + _START_TIMEOUT_S
    while not (folder / "address").exists():
      if self._process.poll() is not None or time.monotonic() > end:
        text = log.read_text(errors="replace")
        self.stop()
        raise RuntimeError(f"the server did not start: {text}")
      time.sleep(0.02)
    self.address = (folder / "address").read_text().strip()

  def reload(self):
    """Has the server read its files of TLS and tokens again, soon."""
    self._process.send_signal(signal.SIGHUP)

  def stop(self):
    """Has the server finish its recordings, and waits for its end. Returns its
    exit code: 0 when all are finished; None where it didn't run."""
    exit_code = None
    if self._process is not None:
      self._process.terminate()
      exit_code = self._process.wait()
      self._process = None
    if self._folder is not None:
      self._folder.cleanup()
      self._folder = None
    return exit_code
