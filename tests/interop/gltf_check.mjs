// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Has Khronos' validator read binary glTF files. It may have nothing to say
// about them, not even a hint.
//
// usage: node gltf_check.mjs FILE...

import { readFileSync } from "node:fs";
import { argv, exit } from "node:process";

import validator from "gltf-validator";

let failed = false;
for (const path of argv.slice(2)) {
  const { issues, info } = await validator.validateBytes(
    new Uint8Array(readFileSync(path)),
  );
  for (const { severity, code, message, pointer } of issues.messages) {
    console.error(`${path}: ${severity} ${code} ${pointer ?? ""}: ${message}`);
    failed = true;
  }
  // A file without triangles, or that doesn't move, would prove little.
  if (info.totalTriangleCount === 0 || info.animationCount !== 1) {
    console.error(`${path}: no triangles, or no animation`);
    failed = true;
  }
}
exit(failed || argv.length < 3 ? 1 : 0);
