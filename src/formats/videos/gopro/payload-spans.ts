import { findBox, listBoxes, parseEdit, presentationTicks } from '../mp4-tables.ts';

/** One payload of a timed metadata track: its position in the file and the span it covers. */
export interface PayloadSpan {
  readonly offset: number;
  readonly bytes: number;
  /** Seconds on the time axis of the file, as the frame times of the video track. `to_s` is exclusive. */
  readonly from_s: number;
  readonly to_s: number;
}

/** Sample description code of GoPro's telemetry (GPMF) in MP4 files. */
const gpmfCode = 'gpmd';
const maxPayloads = 1_000_000;

/**
 * Lists the payloads of the first GPMF track of a `moov` box in recording order; `null` if there is no such track, or its
 * tables are incomplete, contradict each other or claim more than the file holds. Payloads may lie beyond the end of the
 * file.
 */
export function listGpmfPayloads(moov: Buffer, fileBytes: number): readonly PayloadSpan[] | null {
  const movie = findBox(moov, 'mvhd');
  const movieScale = movie === null ? 1000 : readScale(movie);
  for (const box of listBoxes(moov)) {
    if (box.type !== 'trak') continue;
    const trak = moov.subarray(box.start, box.end);
    const description = findBox(trak, 'mdia', 'minf', 'stbl', 'stsd');
    if (description === null || description.toString('latin1', 12, 16) !== gpmfCode) continue;
    return listTrackPayloads(trak, movieScale, fileBytes);
  }
  return null;
}

/** Returns the ticks per second of an `mvhd` or `mdhd` box; 0 if it is cut off. */
function readScale(header: Buffer): number {
  const at = header[0] === 1 ? 20 : 12;
  return at + 4 <= header.length ? header.readUInt32BE(at) : 0;
}

function listTrackPayloads(
  trak: Buffer,
  movieScale: number,
  fileBytes: number,
): readonly PayloadSpan[] | null {
  const media = findBox(trak, 'mdia', 'mdhd');
  const table = findBox(trak, 'mdia', 'minf', 'stbl');
  const timescale = media === null ? 0 : readScale(media);
  if (table === null || timescale === 0 || movieScale === 0) return null;
  const sizes = readSizes(findBox(table, 'stsz'), fileBytes);
  const stts = findBox(table, 'stts');
  if (sizes === null || stts === null || stts.length < 16) return null;
  const offsets = readOffsets(table, sizes);
  const starts = presentationTicks(stts, null);
  if (offsets === null || starts.length < sizes.length) return null;
  const { shift } = parseEdit(findBox(trak, 'edts', 'elst'), movieScale, timescale);
  const last = starts.length - 1;
  const end = starts[last] + stts.readUInt32BE(stts.length - 4 - ((stts.length - 8) % 8));
  const toSeconds = (ticks: number) => (ticks - shift) / timescale;
  return sizes.map((bytes, i) => ({
    offset: offsets[i],
    bytes,
    from_s: toSeconds(starts[i]),
    to_s: toSeconds(i < last ? starts[i + 1] : end),
  }));
}

/** Reads the sizes of all payloads; `null` if the table is cut off, or they are more than the file can hold. */
function readSizes(stsz: Buffer | null, fileBytes: number): number[] | null {
  if (stsz === null || stsz.length < 12) return null;
  const uniform = stsz.readUInt32BE(4);
  const count = stsz.readUInt32BE(8);
  if (count > maxPayloads || (uniform === 0 && 12 + 4 * count > stsz.length)) return null;
  const sizes = Array.from({ length: count }, (_, i) =>
    uniform === 0 ? stsz.readUInt32BE(12 + 4 * i) : uniform,
  );
  return sizes.reduce((sum, bytes) => sum + bytes, 0) > fileBytes ? null : sizes;
}

/** Computes the file offsets of all payloads from the tables of chunks; `null` if these are absent or too short. */
function readOffsets(table: Buffer, sizes: readonly number[]): number[] | null {
  const short = findBox(table, 'stco');
  const chunks = short ?? findBox(table, 'co64');
  const runs = findBox(table, 'stsc');
  if (chunks === null || runs === null || chunks.length < 8 || runs.length < 20) return null;
  const width = short === null ? 8 : 4;
  const chunkCount = Math.min(chunks.readUInt32BE(4), Math.floor((chunks.length - 8) / width));
  const offsets: number[] = [];
  let run = 8;
  for (let chunk = 0; chunk < chunkCount && offsets.length < sizes.length; chunk++) {
    while (run + 24 <= runs.length && runs.readUInt32BE(run + 12) <= chunk + 1) run += 12;
    const at = 8 + width * chunk;
    let offset = width === 4 ? chunks.readUInt32BE(at) : Number(chunks.readBigUInt64BE(at));
    const perChunk = runs.readUInt32BE(run + 4);
    for (let i = 0; i < perChunk && offsets.length < sizes.length; i++) {
      offsets.push(offset);
      offset += sizes[offsets.length - 1];
    }
  }
  return offsets.length === sizes.length ? offsets : null;
}
