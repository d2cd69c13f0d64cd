import type { Clock, Frames, Series, Stream } from '#core/episode';

/**
 * The stream in the order of its log time. Containers may store chunks in any order (several writers, compression in
 * parallel), so a storage order that is not the recording order is put right by a stable sort.
 */
export function inStorageOrder(stream: Stream): Stream {
  const log = stream.clocks.find((clock) => clock.provenance === 'log');
  if (log === undefined) return stream;
  const order = Uint32Array.from(log.time_s, (_, i) => i);
  order.sort((a, b) => log.time_s[a] - log.time_s[b] || a - b);
  return {
    ...stream,
    clocks: stream.clocks.map((clock) => reorderedClock(clock, order)),
    ...(stream.series === undefined ? {} : { series: reorderedSeries(stream.series, order) }),
    ...(stream.frames === undefined ? {} : { frames: reorderedFrames(stream.frames, order) }),
  };
}

function reorderedClock(clock: Clock, order: Uint32Array): Clock {
  return { ...clock, time_s: Float64Array.from(order, (from) => clock.time_s[from]) };
}

function reorderedSeries(series: Series, order: Uint32Array): Series {
  const { dims } = series;
  const values = series.values.slice();
  for (const [to, from] of order.entries()) {
    for (let d = 0; d < dims; d++) values[to * dims + d] = series.values[from * dims + d];
  }
  return { values, dims };
}

function reorderedFrames(frames: Frames, order: Uint32Array): Frames {
  const { payloads, kept } = frames;
  const place = new Uint32Array(order.length);
  for (const [to, from] of order.entries()) place[from] = to;
  return {
    ...frames,
    ...(payloads === undefined
      ? {}
      : {
          payloads: {
            crc32: Uint32Array.from(order, (from) => payloads.crc32[from]),
            bytes: Uint32Array.from(order, (from) => payloads.bytes[from]),
          },
        }),
    ...(kept === undefined
      ? {}
      : {
          kept: kept
            .map((picture) => ({ ...picture, index: place[picture.index] }))
            .sort((a, b) => a.index - b.index),
        }),
  };
}
