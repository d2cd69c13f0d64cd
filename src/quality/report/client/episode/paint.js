// Drawing of curves and marks on the canvas of one lane.
'use strict';
{
  const probe = document.createElement('span');
  const names = [
    'ground',
    'sunken',
    'line',
    'line-strong',
    'ink',
    'soft',
    'faint',
    'accent',
    'reject',
    'review',
    'reject-fill',
    'review-fill',
    'action',
    'state',
  ];

  /** The theme's colours as the canvas needs them: custom properties resolved. */
  assay.palette = () => {
    document.body.append(probe);
    const colours = {};
    for (const name of names) {
      probe.style.color = `var(--${name})`;
      colours[name] = getComputedStyle(probe).color;
    }
    probe.remove();
    return colours;
  };

  /** Sizes a canvas to its box for the screen's pixels and clears it; null while it is not laid out. */
  assay.surface = (canvas) => {
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (width === 0 || height === 0) return null;
    const ratio = Math.max(1, devicePixelRatio || 1);
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    return { context, width, height };
  };

  const gapFactor = 2.5;

  /** Samples at least this far apart in px are shown as dots on their line. */
  const dotted = 9;

  /** A column as a line (one sample a bucket) or as a band from least to greatest; `steps` spans to the sample before. */
  assay.paintColumn = ({ context, height }, view, column, range, { colour, width = 1.4, steps = false }) => {
    const { axis } = column;
    const y = (value) => assay.toY(value, range, height);
    context.strokeStyle = colour;
    context.fillStyle = colour;
    context.lineWidth = width;
    context.lineJoin = 'round';
    if (steps) stairs(context, view, column, y);
    else for (const run of runs(column)) (axis.exact ? line : band)(context, view, column, y, run);
    if (axis.exact && !steps) dots(context, view, column, y);
    for (const { bucket, greatest } of column.outliers) {
      arrow(context, view.x(axis.first[bucket]), greatest > range.to, height);
    }
  };

  assay.toY = (value, range, height) => {
    const inset = 5;
    const share = range.to > range.from ? (value - range.from) / (range.to - range.from) : 0.5;
    return height - inset - Math.min(1.05, Math.max(-0.05, share)) * (height - 2 * inset);
  };

  /** Runs of buckets without a hole: neither a missing number nor a gap in time. */
  function runs({ axis, low }) {
    const limit = gapFactor * axis.step_s;
    const out = [];
    let from = -1;
    for (let b = 0; b < axis.count; b++) {
      const gap = b > 0 && axis.step_s > 0 && axis.first[b] - axis.last[b - 1] > limit;
      if (from >= 0 && (gap || Number.isNaN(low[b]))) {
        out.push([from, b - 1]);
        from = -1;
      }
      if (from < 0 && !Number.isNaN(low[b])) from = b;
    }
    if (from >= 0) out.push([from, axis.count - 1]);
    return out;
  }

  function line(context, view, { axis, low }, y, [from, to]) {
    context.beginPath();
    for (let b = from; b <= to; b++) context.lineTo(view.x(axis.first[b]), y(low[b]));
    context.stroke();
  }

  /** Lone samples always; every sample once they lie far enough apart. */
  function dots(context, view, { axis, low }, y) {
    const all =
      view.width /
        Math.max(
          1,
          ((view.to - view.from) * (axis.count - 1)) /
            Math.max(1e-9, axis.last[axis.count - 1] - axis.first[0]),
        ) >
      dotted;
    for (let b = 0; b < axis.count; b++) {
      if (Number.isNaN(low[b])) continue;
      const alone = !all && Number.isNaN(low[b - 1] ?? Number.NaN) && Number.isNaN(low[b + 1] ?? Number.NaN);
      const x = view.x(axis.first[b]);
      if ((!all && !alone) || x < -4 || x > view.width + 4) continue;
      context.beginPath();
      context.arc(x, y(low[b]), 1.7, 0, 2 * Math.PI);
      context.fill();
    }
  }

  /** Each distance over the time it spans, so that a gap stands as wide and as high as it is long. */
  function stairs(context, view, { axis, low, high }, y) {
    context.beginPath();
    for (let b = 0; b < axis.count; b++) {
      const before = b > 0 ? axis.last[b - 1] : axis.first[0];
      context.lineTo(view.x(before), y(high[b]));
      context.lineTo(view.x(axis.last[b]), y(high[b]));
    }
    context.stroke();
    if (axis.exact) return;
    context.globalAlpha = 0.3;
    for (let b = 0; b < axis.count; b++) {
      context.fillRect(
        view.x(axis.first[b]),
        y(high[b]),
        Math.max(1, view.x(axis.last[b]) - view.x(axis.first[b])),
        y(low[b]) - y(high[b]),
      );
    }
    context.globalAlpha = 1;
  }

  function band(context, view, { axis, low, high }, y, [from, to]) {
    context.beginPath();
    for (let b = from; b <= to; b++) {
      const at = y(high[b]);
      context.lineTo(view.x(axis.first[b]), at);
      context.lineTo(view.x(axis.last[b]), at);
    }
    for (let b = to; b >= from; b--) {
      const at = y(low[b]);
      context.lineTo(view.x(axis.last[b]), at);
      context.lineTo(view.x(axis.first[b]), at);
    }
    context.closePath();
    context.globalAlpha = 0.3;
    context.fill();
    context.globalAlpha = 1;
    context.stroke();
  }

  function arrow(context, x, up, height) {
    const tip = up ? 1 : height - 1;
    const foot = up ? 7 : height - 7;
    context.beginPath();
    context.moveTo(x, tip);
    context.lineTo(x - 4, foot);
    context.lineTo(x + 4, foot);
    context.closePath();
    context.fill();
  }

  /** Crosses where a value was NaN or infinite. */
  assay.paintBroken = ({ context, height }, view, column, palette) => {
    context.strokeStyle = palette.reject;
    context.lineWidth = 1.6;
    for (const bucket of column.broken) {
      const x = view.x(column.axis.first[bucket]);
      const y = height - 7;
      context.beginPath();
      context.moveTo(x - 3, y - 3);
      context.lineTo(x + 3, y + 3);
      context.moveTo(x + 3, y - 3);
      context.lineTo(x - 3, y + 3);
      context.stroke();
    }
  };

  /** A mark of a flag behind the curves: a band, at least as wide as can be seen; hatched where the flag blocks. */
  assay.paintMark = ({ context, height }, view, mark, palette, strong) => {
    const blocking = mark.severity === 'blocking';
    const [from, to] = widened(view.x(mark.from_s), view.x(mark.to_s), 3);
    const colour = blocking ? palette['reject-fill'] : palette['review-fill'];
    context.fillStyle = colour;
    context.globalAlpha = strong ? 0.24 : 0.15;
    context.fillRect(from, 0, to - from, height);
    context.globalAlpha = strong ? 0.6 : 0.4;
    if (blocking && to - from > 8) hatch(context, from, to, height, colour);
    context.globalAlpha = 1;
    context.fillRect(from, 0, to - from, 2);
  };

  function widened(from, to, least) {
    if (to - from >= least) return [from, to];
    const middle = (from + to) / 2;
    return [middle - least / 2, middle + least / 2];
  }

  function hatch(context, from, to, height, colour) {
    context.save();
    context.beginPath();
    context.rect(from, 0, to - from, height);
    context.clip();
    context.strokeStyle = colour;
    context.lineWidth = 0.6;
    context.beginPath();
    for (let x = Math.max(from, -height) - height; x < Math.min(to, 6000); x += 7) {
      context.moveTo(x, height);
      context.lineTo(x + height, 0);
    }
    context.stroke();
    context.restore();
  }

  const steps = [1, 2, 5];

  /** Round times that fit about every `spacing` px. */
  assay.ticks = (view, spacing = 90) => {
    const least = ((view.to - view.from) / view.width) * spacing;
    const power = 10 ** Math.floor(Math.log10(least));
    const step = power * (steps.find((each) => each * power >= least) ?? 10);
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const out = [];
    for (let i = Math.ceil(view.from / step - 1e-9); i * step <= view.to + 1e-9 * step; i++)
      out.push([i * step, (i * step).toFixed(digits)]);
    return { ticks: out, digits };
  };
}
