// Unpacks what was kept of an episode (src/quality/report/sketch-types.ts says how it is packed).
'use strict';
{
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const digitOf = new Uint8Array(128);
  for (let i = 0; i < 64; i++) digitOf[alphabet.charCodeAt(i)] = i;
  const topCode = 4095;
  const topStamp = 262143;

  /** Stamps of an axis' buckets: `first[b]`..`last[b]`, and the usual distance between samples. */
  assay.readAxis = (axis) => {
    const first = new Float64Array(axis.buckets);
    const last = axis.per_bucket === 1 ? first : new Float64Array(axis.buckets);
    const step_s = axis.samples > 1 ? (axis.to_s - axis.from_s) / (axis.samples - 1) : 0;
    if (axis.first === null) {
      for (let b = 0; b < axis.buckets; b++) {
        first[b] = axis.from_s + b * axis.per_bucket * step_s;
        last[b] = axis.from_s + Math.min(axis.samples - 1, (b + 1) * axis.per_bucket - 1) * step_s;
      }
    } else {
      readStamps(axis.first, first, axis);
      if (axis.last !== null) readStamps(axis.last, last, axis);
    }
    return { first, last, step_s, exact: axis.per_bucket === 1, count: axis.buckets, samples: axis.samples };
  };

  function readStamps(text, out, { from_s, to_s }) {
    for (let i = 0, at = 0; i < out.length; i++, at += 3) {
      const code =
        (digitOf[text.charCodeAt(at)] << 12) |
        (digitOf[text.charCodeAt(at + 1)] << 6) |
        digitOf[text.charCodeAt(at + 2)];
      out[i] = from_s + (code / topStamp) * (to_s - from_s);
    }
  }

  /** Least and greatest value of each bucket; NaN where there is none. `scale` changes the unit. */
  assay.readColumn = (column, axis, scale = 1) => {
    const low = new Float64Array(axis.count).fill(column.low * scale);
    const high = axis.exact ? low : new Float64Array(axis.count).fill(column.high * scale);
    if (column.codes !== null) {
      const value = (at) => {
        const code = (digitOf[column.codes.charCodeAt(at)] << 6) | digitOf[column.codes.charCodeAt(at + 1)];
        return code === 0
          ? Number.NaN
          : scale * (column.low + ((code - 1) / (topCode - 1)) * (column.high - column.low));
      };
      for (let b = 0; b < axis.count; b++) {
        low[b] = value(axis.exact ? 2 * b : 4 * b);
        if (!axis.exact) high[b] = value(4 * b + 2);
      }
    }
    const outliers = (column.outliers ?? []).map(([bucket, least, greatest]) => ({
      bucket,
      least: least * scale,
      greatest: greatest * scale,
    }));
    return {
      axis,
      low,
      high,
      from: column.low * scale,
      to: column.high * scale,
      broken: column.broken ?? [],
      outliers,
    };
  };
}
