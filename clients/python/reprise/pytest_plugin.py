# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Fixtures: `pytest -p reprise.pytest_plugin`, or `pytest_plugins` of a
conftest.py."""

import pytest

from reprise.client import Client
from reprise.server import Server


def pytest_addoption(parser):
  group = parser.getgroup("reprise")
  group.addoption("--reprise-program", help="the command; else $REPRISE_PROGRAM")
  group.addoption("--reprise-packs", help="the packs; else $REPRISE_PACKS")


@pytest.fixture(scope="session")
def reprise_server(request):
  """A server on loopback, one for all tests."""
  options = request.config.option
  with Server(options.reprise_program, options.reprise_packs) as server:
    yield server


@pytest.fixture
def reprise_client(reprise_server):
  """A client of that server."""
  with Client(reprise_server.address) as client:
    yield client
