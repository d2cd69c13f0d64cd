import type { ChunkGrid } from './chunk-table.ts';
import { stridesOf } from './chunk-table.ts';

/** Rows of a dataset in memory. */
interface Slab {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly elementBytes: number;
}

/** Copies what a chunk that starts at `start` and the rows have in common, in the longest runs there are. */
export function copyChunk(grid: ChunkGrid, chunk: Uint8Array, start: readonly number[], slab: Slab): void {
  const { from, to, elementBytes } = slab;
  const low = start.map((at, d) => (d === 0 ? Math.max(at, from) : at));
  const high = start.map((at, d) => Math.min(at + grid.chunk[d], d === 0 ? to : grid.shape[d]));
  const size = high.map((end, d) => end - low[d]);
  if (size.some((length) => length <= 0)) return;
  const outShape = grid.shape.map((length, d) => (d === 0 ? to - from : length));
  const inBytes = stridesOf(grid.chunk).map((stride) => stride * elementBytes);
  const outBytes = stridesOf(outShape).map((stride) => stride * elementBytes);
  // Trailing dimensions that chunk and rows share whole make one run with the dimension before them.
  let inner = size.length - 1;
  while (inner > 0 && size[inner] === grid.chunk[inner] && size[inner] === outShape[inner]) inner--;
  const run = size[inner] * inBytes[inner];
  const source = low.reduce((sum, at, d) => sum + (at - start[d]) * inBytes[d], 0);
  const target = low.reduce((sum, at, d) => sum + (at - (d === 0 ? from : 0)) * outBytes[d], 0);

  function copy(dimension: number, source: number, target: number): void {
    const count = dimension < inner ? size[dimension] : 1;
    const [sourceStep, targetStep] = [inBytes[dimension], outBytes[dimension]];
    if (dimension >= inner - 1) {
      copyRuns(
        chunk,
        { at: source, step: sourceStep },
        slab.bytes,
        { at: target, step: targetStep },
        { count, run },
      );
      return;
    }
    for (let i = 0; i < count; i++) copy(dimension + 1, source + i * sourceStep, target + i * targetStep);
  }

  copy(0, source, target);
}

interface Steps {
  readonly at: number;
  readonly step: number;
}

/** Longer runs are worth a call each. */
const longRun = 64;

function copyRuns(
  from: Uint8Array,
  source: Steps,
  into: Uint8Array,
  target: Steps,
  { count, run }: { readonly count: number; readonly run: number },
): void {
  const places = [from.byteOffset, into.byteOffset, source.at, source.step, target.at, target.step, run];
  if (run >= longRun) {
    for (let i = 0; i < count; i++) {
      const at = source.at + i * source.step;
      into.set(from.subarray(at, at + run), target.at + i * target.step);
    }
  } else if (places.every((place) => place % 4 === 0)) {
    const words = (bytes: Uint8Array) => new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    copyElements(words(from), scaled(source, 4), words(into), scaled(target, 4), { count, run: run / 4 });
  } else copyElements(from, source, into, target, { count, run });
}

function scaled({ at, step }: Steps, by: number): Steps {
  return { at: at / by, step: step / by };
}

function copyElements(
  from: Uint8Array | Uint32Array,
  source: Steps,
  into: Uint8Array | Uint32Array,
  target: Steps,
  { count, run }: { readonly count: number; readonly run: number },
): void {
  let [at, to] = [source.at, target.at];
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < run; k++) into[to + k] = from[at + k];
    at += source.step;
    to += target.step;
  }
}
