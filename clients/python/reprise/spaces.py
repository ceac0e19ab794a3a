# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Gymnasium's spaces where it is installed; else as much of them as the
environments here need, with the same names, arguments and meaning."""

import numpy as np

try:
  from gymnasium.spaces import Box, Dict, Discrete, MultiBinary
  HAS_GYMNASIUM = True
except ImportError:
  HAS_GYMNASIUM = False

  class _Space:

    def __init__(self, shape, dtype):
      self.shape = shape
      self.dtype = None if dtype is None else np.dtype(dtype)
      self.np_random = np.random.default_rng()

    def seed(self, seed=None):
      self.np_random = np.random.default_rng(seed)

    def __contains__(self, value):
      return self.contains(value)

  class Box(_Space):
    """Arrays of numbers between bounds."""

    def __init__(self, low, high, shape=None, dtype=np.float32):
      shape = np.shape(low) if shape is None else tuple(shape)
      super().__init__(shape, dtype)
      self.low = np.broadcast_to(np.asarray(low, self.dtype), shape)
      self.high = np.broadcast_to(np.asarray(high, self.dtype), shape)

    def sample(self):
      low = np.where(np.isfinite(self.low), self.low, -1.0)
      high = np.where(np.isfinite(self.high), self.high, 1.0)
      if np.issubdtype(self.dtype, np.integer):
        high = high + 1
      values = self.np_random.uniform(low, high, self.shape)
      return np.floor(values).astype(self.dtype) if np.issubdtype(
          self.dtype, np.integer) else values.astype(self.dtype)

    def contains(self, value):
      value = np.asarray(value)
      return (value.shape == self.shape and bool(np.all(value >= self.low)) and
              bool(np.all(value <= self.high)))

  class Discrete(_Space):
    """The whole numbers from `start` on."""

    def __init__(self, n, start=0):
      super().__init__((), np.int64)
      self.n = int(n)
      self.start = int(start)

    def sample(self):
      return self.start + int(self.np_random.integers(self.n))

    def contains(self, value):
      return self.start <= int(value) < self.start + self.n

  class MultiBinary(_Space):
    """Arrays of 0 and 1."""

    def __init__(self, n):
      super().__init__((int(n),), np.int8)
      self.n = int(n)

    def sample(self):
      return self.np_random.integers(0, 2, self.shape, dtype=np.int8)

    def contains(self, value):
      value = np.asarray(value)
      return (value.shape == self.shape and
              bool(np.all((value == 0) | (value == 1))))

  class Dict(_Space):
    """Spaces by name."""

    def __init__(self, spaces):
      super().__init__(None, None)
      self.spaces = dict(spaces)

    def seed(self, seed=None):
      super().seed(seed)
      for space in self.spaces.values():
        space.seed(int(self.np_random.integers(2**31)))

    def sample(self):
      return {name: space.sample() for name, space in self.spaces.items()}

    def contains(self, value):
      return value.keys() == self.spaces.keys() and all(
          space.contains(value[name]) for name, space in self.spaces.items())

    def __getitem__(self, name):
      return self.spaces[name]

    def keys(self):
      return self.spaces.keys()

    def items(self):
      return self.spaces.items()
