import { open } from 'node:fs/promises';
import { boxesIn } from '#formats';
import { type Film, readFilm, type Sample } from './read-samples.ts';

/** Ticks of a frame: any rate in whole frames a second is exact. */
const ticks = 512;

/** Places, in the order of showing, of the frames that stay. */
export type KeepFrame = (shown: number) => boolean;

/**
 * Writes a film once more with some of its frames, each shown at its place / rate; packets are copied as they are. False
 * where it is no film that can be, or where frames that stay need some that go.
 */
export async function writeFilm(
  source: string,
  target: string,
  rate_hz: number,
  keep: KeepFrame,
): Promise<boolean> {
  const from = await open(source, 'r');
  try {
    const film = await readFilm(from);
    const kept = film === null ? null : keptOf(film.samples, keep);
    if (film === null || kept === null) return false;
    const head = headOf(film, kept, rate_hz);
    const to = await open(target, 'w');
    try {
      await to.write(head, 0, head.length, 0);
      let at = head.length;
      for (const { offset, bytes } of kept) {
        const packet = Buffer.alloc(bytes);
        await from.read(packet, 0, bytes, offset);
        await to.write(packet, 0, bytes, at);
        at += bytes;
      }
    } finally {
      await to.close();
    }
    return true;
  } finally {
    await from.close();
  }
}

/** Whether these frames can be cut out of a film by copying packets. */
export async function canCut(source: string, keep: KeepFrame): Promise<boolean> {
  const file = await open(source, 'r');
  try {
    const film = await readFilm(file);
    return film !== null && keptOf(film.samples, keep) !== null;
  } finally {
    await file.close();
  }
}

/** Null where a frame that stays is decoded from one that goes: behind a cut decoding has to begin anew. */
function keptOf(samples: readonly Sample[], keep: KeepFrame): Sample[] | null {
  const places = placesOf(samples);
  const stays = samples.map((_, at) => keep(places[at]));
  for (const [at, sample] of samples.entries()) {
    if (!stays[at] || at === 0 || stays[at - 1]) continue;
    const group = samples.slice(at).findIndex((one, behind) => behind > 0 && one.key);
    const end = group < 0 ? samples.length : at + group;
    if (!sample.key || places.slice(at, end).some((place) => place < places[at])) return null;
  }
  const kept = samples.filter((_, at) => stays[at]);
  return kept.length === 0 || !kept[0].key ? null : kept;
}

/** The place of each sample in the order of showing. */
function placesOf(samples: readonly Sample[]): number[] {
  const order = samples.map((_, at) => at).sort((a, b) => samples[a].shown - samples[b].shown || a - b);
  const places = new Array<number>(samples.length);
  for (const [place, at] of order.entries()) places[at] = place;
  return places;
}

/** Everything before the packets: type, headers, and the head of the box that holds the packets. */
function headOf({ type, headers }: Film, kept: readonly Sample[], rate_hz: number): Buffer {
  const bytes = kept.reduce((sum, sample) => sum + sample.bytes, 0);
  const before = (offset: number) =>
    Buffer.concat([box('ftyp', type), box('moov', rebuilt(headers, kept, rate_hz, offset)), packets(bytes)]);
  return before(before(0).length);
}

function packets(bytes: number): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1, 0);
  head.write('mdat', 4, 'latin1');
  head.writeBigUInt64BE(BigInt(bytes + 16), 8);
  return head;
}

function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

interface Timing {
  readonly kept: readonly Sample[];
  readonly rate_hz: number;
  /** Ticks that the first frame is shown after it is decoded. */
  readonly delay: number;
  readonly movieScale: number;
  readonly offset: number;
}

function rebuilt(headers: Buffer, kept: readonly Sample[], rate_hz: number, offset: number): Buffer {
  const places = placesOf(kept);
  const delay = Math.max(0, ...places.map((place, at) => at - place)) * ticks;
  const movie = boxesIn(headers).find(({ type }) => type === 'mvhd');
  const long = movie !== undefined && headers[movie.start] === 1;
  const movieScale = movie === undefined ? 1000 : headers.readUInt32BE(movie.start + (long ? 20 : 12));
  return inside(headers, { kept, rate_hz, delay, movieScale, offset });
}

const containers = new Set(['trak', 'mdia', 'minf', 'edts']);

/** A box's content with what depends on the samples written anew. */
function inside(content: Buffer, timing: Timing): Buffer {
  const parts = boxesIn(content).map(({ type, start, end }) => {
    const own = content.subarray(start, end);
    if (containers.has(type)) return box(type, inside(own, timing));
    if (type === 'stbl') return box(type, tableOf(own, timing));
    if (type === 'mvhd' || type === 'tkhd' || type === 'mdhd' || type === 'elst')
      return box(type, timed(type, own, timing));
    return box(type, Buffer.from(own));
  });
  return Buffer.concat(parts);
}

/** A header with the new duration, and of the media with the new scale. */
function timed(type: string, content: Buffer, { kept, rate_hz, delay, movieScale }: Timing): Buffer {
  const own = Buffer.from(content);
  const media = kept.length * ticks;
  const movie = Math.round((kept.length / rate_hz) * movieScale);
  const long = own[0] === 1;
  const put = (value: number, at: number) => {
    if (long) own.writeBigUInt64BE(BigInt(value), at);
    else own.writeUInt32BE(value, at);
  };
  if (type === 'elst') {
    const entry = Buffer.alloc(20);
    entry.writeUInt32BE(1, 4);
    entry.writeUInt32BE(movie, 8);
    entry.writeInt32BE(delay, 12);
    entry.writeUInt32BE(0x10000, 16);
    return entry;
  }
  if (type === 'tkhd') put(movie, long ? 28 : 20);
  else put(type === 'mdhd' ? media : movie, long ? 24 : 16);
  if (type === 'mdhd') own.writeUInt32BE(Math.round(rate_hz * ticks), long ? 20 : 12);
  return own;
}

const samplesOfChunk = 32;

/** The tables of samples; the descriptions of the codec stay, and what says more of single samples goes. */
function tableOf(content: Buffer, { kept, delay, offset }: Timing): Buffer {
  const description = boxesIn(content).find(({ type }) => type === 'stsd')!;
  const places = placesOf(kept);
  const shifts = places.map((place, at) => (place - at) * ticks + delay);
  const parts = [
    box('stsd', Buffer.from(content.subarray(description.start, description.end))),
    box('stts', table([1], [kept.length, ticks])),
  ];
  if (delay > 0 || shifts.some((shift) => shift !== 0))
    parts.push(
      box(
        'ctts',
        table(
          [kept.length],
          shifts.flatMap((shift) => [1, shift]),
        ),
      ),
    );
  if (kept.some(({ key }) => !key)) {
    const keys = kept.flatMap(({ key }, at) => (key ? [at + 1] : []));
    parts.push(box('stss', table([keys.length], keys)));
  }
  parts.push(
    box('stsc', chunksOf(kept.length)),
    box(
      'stsz',
      table(
        [0, kept.length],
        kept.map(({ bytes }) => bytes),
      ),
    ),
  );
  parts.push(box('co64', offsetsOf(kept, offset)));
  return Buffer.concat(parts);
}

/** A box of 32-bit numbers behind version, flags and counts. */
function table(counts: readonly number[], values: readonly number[]): Buffer {
  const all = [0, ...counts, ...values];
  const out = Buffer.alloc(all.length * 4);
  for (const [at, value] of all.entries()) out.writeUInt32BE(value, at * 4);
  return out;
}

function chunksOf(samples: number): Buffer {
  const full = Math.floor(samples / samplesOfChunk);
  const rest = samples % samplesOfChunk;
  const runs = [...(full > 0 ? [1, samplesOfChunk, 1] : []), ...(rest > 0 ? [full + 1, rest, 1] : [])];
  return table([runs.length / 3], runs);
}

function offsetsOf(kept: readonly Sample[], offset: number): Buffer {
  const starts: number[] = [];
  let at = offset;
  for (const [place, { bytes }] of kept.entries()) {
    if (place % samplesOfChunk === 0) starts.push(at);
    at += bytes;
  }
  const out = Buffer.alloc(8 + starts.length * 8);
  out.writeUInt32BE(starts.length, 4);
  for (const [chunk, start] of starts.entries()) out.writeBigUInt64BE(BigInt(start), 8 + chunk * 8);
  return out;
}
