// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A file on the disk as the MCAP reader wants it, and the codec of our chunks.

import assert from "node:assert/strict";
import { open } from "node:fs/promises";

import { decompress } from "fzstd";

export const decompressHandlers = {
  zstd: (bytes, size) => decompress(bytes, new Uint8Array(Number(size))),
};

export class File {
  static async open(path) {
    const handle = await open(path);
    const { size } = await handle.stat();
    return new File(handle, BigInt(size));
  }

  constructor(handle, size) {
    this.handle = handle;
    this.bytes = size;
  }

  async size() {
    return this.bytes;
  }

  async read(offset, length) {
    const bytes = new Uint8Array(Number(length));
    const { bytesRead } = await this.handle.read(
      bytes, 0, bytes.length, Number(offset));
    assert.equal(bytesRead, bytes.length, "read past the end");
    return bytes;
  }
}
