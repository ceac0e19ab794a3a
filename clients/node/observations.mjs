// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a session shows of its ticks, as typed arrays.

const LISTS = {
  KIND_NUMBER: ["numbers", (values) => Float64Array.from(values)],
  KIND_INTEGER: ["integers", (values) => BigInt64Array.from(values)],
  KIND_UNSIGNED_INTEGER:
    ["unsigned_integers", (values) => BigUint64Array.from(values)],
  KIND_BOOLEAN: ["booleans", (values) => Uint8Array.from(values)],
  KIND_TEXT: ["texts", (values) => values],
};

// Reads the observations of one stream, response by response: who the rows are
// is said only when that changes.
export class Decoder {
  #layout = null;
  #rows = new Map();

  // The blocks of a response of a step, in order. A block is a group at ticks in
  // which its rows are the same:
  // - `group`, `ticks`, `keys`, `names` and `rowsOmitted` as in
  //   reprise.v1.ObservationBlock and ObservedRows;
  // - `columns`, by field: `values` of all ticks, row by row within a tick, part
  //   by part within a row; `parts`, how many these are (1 of a single value);
  //   `absent`, a Set of the places without a value; `unit`.
  read(response) {
    if (response.layout) {
      this.#layout = response.layout;
      this.#rows.clear();
    }
    return (response.observations?.blocks ?? []).map(
      (block) => this.#readBlock(block));
  }

  #readBlock(block) {
    if (block.rows) this.#rows.set(block.group, block.rows);
    const rows = this.#rows.get(block.group);
    const columns = {};
    this.#layout.groups[block.group].columns.forEach((layout, i) => {
      const [list, makeArray] = LISTS[layout.kind];
      const column = block.columns[i];
      columns[layout.field] = {
        values: makeArray(column[list]),
        parts: layout.parts.length || 1,
        absent: new Set(column.absent.map(Number)),
        unit: layout.unit,
      };
    });
    return {
      group: block.group, ticks: block.ticks, keys: rows.keys,
      names: rows.names, rowsOmitted: block.rows_omitted, columns,
    };
  }
}
