// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Values over all frames, as lines below the picture.

'use strict';

// How often a plot that is being gathered is drawn.
const DRAW_EVERY_MS = 200;

// Of several lines at once, each its own; two runs are told by dashes.
const LINE_COLOURS =
    ['#7fd1ff', '#f4a259', '#6fdc8c', '#e58fd8', '#f2e06b', '#a99cf5'];

// As many as are told apart.
const LINES_MAX = 12;

// Fields of objects, and watches (`=` before their text), over all frames.
// Chunks are decoded one after the other. Lines of one unit share a scale.
class Plot {
  constructor(canvas, legend, viewer) {
    this.canvas = canvas;
    this.legend = legend;
    this.viewer = viewer;
    this.lines = [];  // {object, field, unit, series: one a recording}
    this.request = 0;
    canvas.addEventListener('pointerdown', event => {
      const box = canvas.getBoundingClientRect();
      viewer.pause();
      viewer.goToFrame(Math.round(
          (event.clientX - box.left) / box.width * (viewer.frameCount - 1)));
    });
  }

  has(object, field) {
    return this.lines.some(
        line => line.object === object && line.field === field);
  }

  // Of the first line, for who looks at one.
  get series() {
    return this.lines.length > 0 ? this.lines[0].series : [];
  }

  // One more line, of the object that is chosen if none is named; the same
  // again: one less.
  choose(field, object = this.viewer.selected) {
    if (this.has(object, field)) {
      this.remove(object, field);
      return Promise.resolve();
    }
    const done = this.add(object, field);
    this.viewer.inspector.update();
    this.viewer.watches.update();
    this.viewer.writeLink();
    return done;
  }

  add(object, field) {
    if (this.has(object, field) || this.lines.length === LINES_MAX) {
      return Promise.resolve();
    }
    const {recordings} = this.viewer;
    const line = {
      object,
      field,
      unit: this.unitOf(object, field),
      // A watch goes by the object that was chosen when it was asked for.
      chosen: object || this.viewer.selected,
      tree: field.startsWith('=') ? parseWatch(field.slice(1)) : null,
      series: recordings.map(
          recording => new Float64Array(recording.frameCount).fill(NaN)),
    };
    this.lines.push(line);
    this.canvas.parentElement.hidden = false;
    return this.gather(line);
  }

  remove(object, field) {
    this.lines = this.lines.filter(
        line => line.object !== object || line.field !== field);
    this.canvas.parentElement.hidden = this.lines.length === 0;
    this.viewer.inspector.update();
    this.viewer.watches.update();
    this.viewer.writeLink();
    this.draw();
  }

  unitOf(object, field) {
    for (const recording of this.viewer.recordings) {
      const column =
          recording.columnsOfName(object).find(one => one.name === field);
      if (column) return column.unit;
    }
    return POSE_UNITS[field] || '';
  }

  async gather(line) {
    const {viewer} = this;
    const isWanted = () => this.lines.includes(line);
    let drawn = performance.now();
    for (const [side, recording] of viewer.recordings.entries()) {
      const stride = viewer.page.chunk_frames;
      for (let from = 0; from < recording.frameCount; from += stride) {
        const chunk = await recording.load(from);
        if (!isWanted()) return;
        this.take(line, recording, from, chunk, line.series[side]);
        // An hour has thousands of chunks, and nobody sees that many pictures.
        if (performance.now() - drawn < DRAW_EVERY_MS) continue;
        this.draw();
        drawn = performance.now();
      }
    }
    this.draw();
  }

  take({object, field, tree, chosen}, recording, from, chunk, series) {
    const column = recording.columnsOfName(object).find(c => c.name === field);
    for (let i = 0; i < chunk.frames; ++i) {
      let value = null;
      if (tree) {
        value = evaluateWatch(tree, recording, from + i, chosen);
      } else if (column) {
        value = recording.fieldAt(column, from + i);
      } else if (object) {
        const row = poseFields(recording, object, from + i)
                        .find(([name]) => name === field);
        if (row) [, , value] = row;
      }
      if (typeof value === 'string' || value === null) continue;
      series[from + i] = Number(value);
    }
  }

  // All of them or, of more than four a pixel, the least and the greatest of
  // each pixel.
  points(series, width) {
    const stride = Math.ceil(series.length / width);
    if (stride <= 4) return series.entries();
    const points = [];
    for (let from = 0; from < series.length; from += stride) {
      const part = series.subarray(from, from + stride);
      const known = part.filter(value => !Number.isNaN(value));
      if (known.length === 0) {
        points.push([from, NaN]);
      } else {
        points.push([from, Math.min(...known)], [from, Math.max(...known)]);
      }
    }
    return points;
  }

  // By unit, the least and the greatest value of all its lines. What has no
  // unit may be anything, and has a scale of its own.
  ranges() {
    const ranges = new Map();
    for (const line of this.lines) {
      const key = line.unit || line;
      if (!ranges.has(key)) ranges.set(key, [Infinity, -Infinity]);
      const range = ranges.get(key);
      for (const series of line.series) {
        for (const value of series) {
          if (value < range[0]) range[0] = value;
          if (value > range[1]) range[1] = value;
        }
      }
    }
    return ranges;
  }

  colourOf(number, side) {
    return this.lines.length === 1 ? SIDES[side] :
                                     LINE_COLOURS[number % LINE_COLOURS.length];
  }

  draw() {
    if (this.lines.length === 0) return;
    const ranges = this.ranges();
    this.updateLegend(ranges);
    const fitted = fit(this.canvas);
    if (!fitted) return;
    const {context, width, height, ratio} = fitted;
    const x = frame => frame / Math.max(1, this.viewer.frameCount - 1) * width;
    this.lines.forEach((line, number) => {
      const [low, high] = ranges.get(line.unit || line);
      if (low > high) return;
      const margin = 0.08 * (high - low) || 1;
      const y = value =>
          height * (1 - (value - low + margin) / (high - low + 2 * margin));
      line.series.forEach((series, side) => {
        context.strokeStyle = this.colourOf(number, side);
        context.setLineDash(
            side > 0 && this.lines.length > 1 ? [4 * ratio, 3 * ratio] : []);
        context.lineWidth = 1.5 * ratio;
        context.beginPath();
        let isDown = false;
        for (const [frame, value] of this.points(series, width)) {
          if (Number.isNaN(value)) {
            isDown = false;
          } else if (isDown) {
            context.lineTo(x(frame), y(value));
          } else {
            context.moveTo(x(frame), y(value));
            isDown = true;
          }
        }
        context.stroke();
      });
    });
    context.setLineDash([]);
    context.fillStyle = '#fff8';
    context.fillRect(x(this.viewer.frame), 0, ratio, height);
  }

  // What each line is, its value now and its range; a click takes it away.
  updateLegend(ranges) {
    const frame = this.viewer.wholeFrame();
    this.legend.replaceChildren(...this.lines.map((line, number) => {
      const {object, field, unit, series, tree} = line;
      const name =
          tree ? field.slice(1) : `${object || 'the world'}: ${field}`;
      const now = series.map(
          values => Number.isNaN(values[frame]) ? '' :
                                                  formatNumber(values[frame]));
      const [low, high] = ranges.get(unit || line).map(formatNumber);
      const range = low === 'Infinity' ? '' : ` (${low} to ${high})`;
      return make('button', {
        textContent:
            `${name}${unit ? ` [${unit}]` : ''} ${now.join(' | ')}${range}`,
        title: 'plot it no more',
        style: `color: ${this.colourOf(number, 0)}`,
        onclick: () => this.remove(object, field),
      });
    }));
  }
}
