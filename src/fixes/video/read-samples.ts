import type { FileHandle } from 'node:fs/promises';
import { boxesIn, findBox, topBoxes } from '#formats';
import { FileWindow } from '#sources';

/** A frame as it is packed in a file, in the order of decoding. */
export interface Sample {
  readonly offset: number;
  readonly bytes: number;
  /** When it is decoded and shown, in ticks. */
  readonly decoded: number;
  readonly shown: number;
  /** Decoding can begin here. */
  readonly key: boolean;
}

/** An MP4 file of one video track and nothing else. */
export interface Film {
  /** The first box, with its header. */
  readonly type: Buffer;
  /** The content of the box of all headers. */
  readonly headers: Buffer;
  readonly samples: readonly Sample[];
}

const largestHeaders = 256 * 1024 * 1024;

/** Null where the file is no such film: without headers, in fragments, with sound, or damaged. */
export async function readFilm(file: FileHandle): Promise<Film | null> {
  const { size } = await file.stat();
  const window = new FileWindow(file, size);
  let [type, headers]: (Buffer | null)[] = [null, null];
  for await (const box of topBoxes(window)) {
    if (box.type === 'moof') return null;
    if (box.type !== 'ftyp' && box.type !== 'moov') continue;
    if (box.end > size || box.end - box.start > largestHeaders) return null;
    const content = Buffer.from(await window.read(box.start, box.end - box.start));
    if (box.type === 'ftyp') type = content;
    else headers = content;
  }
  if (type === null || headers === null) return null;
  if (boxesIn(headers).filter((box) => box.type === 'trak').length !== 1) return null;
  const samples = samplesOf(headers);
  if (samples === null || samples.some(({ offset, bytes }) => offset + bytes > size)) return null;
  return { type, headers, samples };
}

function samplesOf(headers: Buffer): Sample[] | null {
  const table = findBox(headers, 'trak', 'mdia', 'minf', 'stbl');
  if (table === null || findBox(headers, 'trak', 'mdia', 'hdlr')?.toString('latin1', 8, 12) !== 'vide')
    return null;
  const sizes = sizesOf(findBox(table, 'stsz'));
  const offsets = offsetsOf(table, sizes);
  const decoded = spread(findBox(table, 'stts'), sizes.length);
  if (offsets === null || decoded === null) return null;
  const later = findBox(table, 'ctts');
  const shifts = later === null ? null : spread(later, sizes.length);
  const keys = findBox(table, 'stss');
  const keyed = keys === null ? null : new Set(numbers(keys, 8));
  let time = 0;
  return sizes.map((bytes, at) => {
    const sample = {
      offset: offsets[at],
      bytes,
      decoded: time,
      shown: time + ((shifts?.[at] ?? 0) | 0),
      key: keyed === null || keyed.has(at + 1),
    };
    time += decoded[at];
    return sample;
  });
}

function sizesOf(box: Buffer | null): number[] {
  if (box === null || box.length < 12) return [];
  const uniform = box.readUInt32BE(4);
  const count = box.readUInt32BE(8);
  if (uniform !== 0) return count > 50_000_000 ? [] : new Array<number>(count).fill(uniform);
  return numbers(box, 12);
}

function numbers(box: Buffer, from: number): number[] {
  return Array.from({ length: Math.floor((box.length - from) / 4) }, (_, at) =>
    box.readUInt32BE(from + at * 4),
  );
}

/** A table of runs (count, value) with an entry a sample; null where it has fewer. */
function spread(box: Buffer | null, count: number): number[] | null {
  const values: number[] = [];
  if (box === null) return null;
  for (let at = 8; at + 8 <= box.length && values.length < count; at += 8) {
    const run = Math.min(box.readUInt32BE(at), count - values.length);
    for (let i = 0; i < run; i++) values.push(box.readUInt32BE(at + 4));
  }
  return values.length === count ? values : null;
}

/** Where each sample lies, from the tables of chunks. */
function offsetsOf(table: Buffer, sizes: readonly number[]): number[] | null {
  const [short, long, runs] = ['stco', 'co64', 'stsc'].map((name) => findBox(table, name));
  if (runs === null || (short === null && long === null)) return null;
  const starts =
    short !== null
      ? numbers(short, 8)
      : Array.from({ length: Math.floor((long!.length - 8) / 8) }, (_, at) =>
          Number(long!.readBigUInt64BE(8 + at * 8)),
        );
  const entries = numbers(runs, 8);
  const offsets: number[] = [];
  for (let run = 0; run + 2 < entries.length; run += 3) {
    const last = run + 3 < entries.length ? entries[run + 3] - 1 : starts.length;
    for (let chunk = entries[run] - 1; chunk < last && chunk < starts.length; chunk++) {
      let at = starts[chunk];
      for (let i = 0; i < entries[run + 1] && offsets.length < sizes.length; i++) {
        at += i === 0 ? 0 : sizes[offsets.length - 1];
        offsets.push(at);
      }
    }
  }
  return offsets.length === sizes.length ? offsets : null;
}
