import {
  type Episode,
  type Finding,
  type GripperConvention,
  type Stream,
  unknownOutcome,
} from '#core/episode';
import type { UsedFile } from '#io/sources';
import { observedRange } from '../../shared/observed-range.ts';
import type { Unreadable } from '../../shared/reader.ts';
import { replayBreach } from '../rules.ts';
import { type ChunkNotes, chunkNotes } from './array-reader.ts';
import { unreadCodec } from './codecs.ts';
import { type EpisodeRows, rowsOfEpisode } from './episode-ends.ts';
import { isUmi, pictureShape, readPictureRows, roleOfArray, unitOfArray } from './picture-rows.ts';
import { type DataArray, endsKey, type ReplaySet } from './replay-set.ts';
import { type RowClock, stampClock, umiClock } from './row-clock.ts';

/** Wider rows than this are no signal; they are counted and not held. */
const mostDimensions = 4096;
/** Numbers of one array in one episode. */
const mostNumbers = 1 << 27;
/** Files of chunks that an episode names as its sources; pictures one a file can be many more. */
const mostSources = 4096;

/** An episode before its files are hashed. */
export interface ReadRows {
  readonly episode: Omit<Episode, 'sources'>;
  readonly files: readonly UsedFile[];
}

function episodeId(index: number): string {
  return `episode_${String(index).padStart(6, '0')}`;
}

/** Reads the rows of one episode out of every array, one chunk at a time. */
export async function readEpisode(set: ReplaySet, index: number): Promise<ReadRows | Unreadable> {
  const { store, ends, rows } = set;
  const path = store.fileOf(`${endsKey}/.zarray`);
  const span = rowsOfEpisode(ends, index, rows, path);
  if (span.fault !== null) return { unreadable: true, id: episodeId(index), index, finding: span.fault };
  const findings: Finding[] = span.lacking > 0 ? [lackingFinding(index, span, path)] : [];
  const umi = isUmi(set.arrays.map(({ name }) => name));
  const clock = await clockOf(set, span, umi, findings);
  const streams: Stream[] = [];
  for (const array of set.arrays) {
    if (array.name === 'timestamp' && clock !== null && !umi) continue;
    streams.push(await streamOf(set, array, span, clock, umi, findings));
  }
  return {
    files: filesOf(set, span),
    episode: {
      id: episodeId(index),
      index,
      locator: { format: 'zarr', path, span: { unit: 'row', from: span.first, to: span.end } },
      start_ns: clock?.start_ns ?? null,
      duration_s: clock?.duration_s ?? 0,
      streams,
      events: [],
      tasks: null,
      outcome: unknownOutcome,
      robot: null,
      calibrations: [],
      grippers: grippersOf(streams, umi),
      labels: null,
      ...(umi || clock === null
        ? { clockless: 'a replay buffer without an array timestamp keeps no times' }
        : {}),
      findings,
    },
  };
}

async function clockOf(
  set: ReplaySet,
  { first, end }: EpisodeRows,
  umi: boolean,
  findings: Finding[],
): Promise<RowClock | null> {
  if (umi) return umiClock(end - first);
  const stamps = set.arrays.find(({ name }) => name === 'timestamp');
  if (stamps === undefined || stamps.reader.width !== 1 || stamps.reader.meta.type === null) return null;
  if (stamps.reader.rows < end || unreadCodec(stamps.reader.meta) !== null) return null;
  const notes = chunkNotes();
  const values = await stamps.reader.numbers(first, end, notes);
  findings.push(...noteFindings(set, stamps, notes));
  return notes.unread === null ? stampClock(Float64Array.from(values)) : null;
}

async function streamOf(
  set: ReplaySet,
  array: DataArray,
  { first, end }: EpisodeRows,
  clock: RowClock | null,
  umi: boolean,
  findings: Finding[],
): Promise<Stream> {
  const { name, reader } = array;
  const last = Math.min(end, reader.rows);
  const rows = Math.max(0, last - first);
  const notes = chunkNotes();
  const base = {
    id: name,
    names: null,
    unit: unitOfArray(name, umi),
    declared_rate_hz: null,
    sample_count: rows,
    ...clockPart(clock, rows),
    shape: reader.meta.shape.slice(1),
  };
  const picture = pictureShape(reader.meta, name);
  const done = (stream: Stream): Stream => {
    findings.push(...noteFindings(set, array, notes));
    return stream;
  };
  if (picture !== null) {
    const time_s = clock?.clock.time_s ?? null;
    const seen = await readPictureRows(reader, picture, [first, first + rows], time_s, notes);
    if (seen.unread !== null) notes.unread = seen.unread;
    const path = set.store.fileOf(`${reader.meta.key}/.zarray`);
    return done({
      ...base,
      role: picture.depth ? 'depth' : 'camera',
      modality: 'image',
      frames: {
        locator: { type: 'embedded', path, channel: name, encoding: seen.encoding },
        declared_size_px: [picture.width, picture.height],
        declared_codec: seen.unread,
        payloads: seen.payloads,
        kept: seen.kept,
      },
    });
  }
  const opaque: Stream = { ...base, role: 'other', modality: 'opaque' };
  if (reader.meta.type === null || reader.width > mostDimensions || rows * reader.width > mostNumbers)
    return done(opaque);
  const codec = unreadCodec(reader.meta);
  if (codec !== null) {
    notes.unread = codec;
    return done(opaque);
  }
  const values = await reader.numbers(first, first + rows, notes);
  if (notes.unread !== null) return done(opaque);
  return done({
    ...base,
    role: roleOfArray(name),
    modality: 'numeric',
    series: { values, dims: reader.width },
  });
}

function clockPart(clock: RowClock | null, rows: number): Pick<Stream, 'clocks' | 'clock'> {
  if (clock === null) return { clocks: [], clock: null };
  const { time_s } = clock.clock;
  const own = time_s.length === rows ? clock.clock : { ...clock.clock, time_s: time_s.subarray(0, rows) };
  return { clocks: [own], clock: clock.choice };
}

/** What the chunks of an array showed in these rows. */
function noteFindings({ store }: ReplaySet, { name, reader }: DataArray, notes: ChunkNotes): Finding[] {
  const path = store.fileOf(`${reader.meta.key}/.zarray`);
  const findings: Finding[] = [];
  if (notes.missing > 0)
    findings.push(
      replayBreach(
        'chunks_missing',
        path,
        `${notes.missing} of the ${notes.asked} chunks of ${name} in this episode are not there; ${reader.meta.fill} takes the place of their values, as the format demands`,
        { array: name, missing: notes.missing, of: notes.asked },
      ),
    );
  const [first] = notes.damaged;
  if (first !== undefined)
    findings.push(
      replayBreach(
        'chunk_damaged',
        store.fileOf(first.key),
        `${notes.damaged.length} of the ${notes.asked} chunks of ${name} in this episode do not decode; ${first.key}: ${first.why}`,
        { array: name, chunks: notes.damaged.slice(0, 50).map(({ key }) => key) },
      ),
    );
  if (notes.unread !== null)
    findings.push({
      code: 'codec_unread',
      severity: 'warning',
      path,
      message: `${name} is packed with ${notes.unread}, which is not read here: ${pictureShape(reader.meta, name) === null ? 'its numbers are' : 'its pictures are'} not assessed`,
      advice: 'write the array again with blosc, zlib or zstd to have it assessed',
      evidence: { array: name, codec: notes.unread },
    });
  return findings;
}

function lackingFinding(index: number, { first, end, lacking }: EpisodeRows, path: string): Finding {
  return {
    code: 'length_mismatch',
    severity: 'error',
    path,
    message: `episode ${index} is to have ${end + lacking - first} rows; the arrays end after ${end - first} of them`,
    advice: 'restore the rows, or correct episode_ends',
    evidence: { declared: end + lacking - first, found: end - first },
  };
}

function filesOf({ store, arrays }: ReplaySet, { first, end }: EpisodeRows): UsedFile[] {
  const data = new Set<string>();
  for (const { reader } of arrays)
    for (const key of reader.keysOf(first, Math.min(end, reader.rows)))
      if (store.has(key) && data.size < mostSources) data.add(store.fileOf(key));
  const described = [endsKey, ...arrays.map(({ reader }) => reader.meta.key)].map((key) => `${key}/.zarray`);
  const metadata = new Set(described.map((key) => store.fileOf(key)).filter((path) => !data.has(path)));
  return [
    ...[...data].map((path) => ({ path, role: 'data' as const })),
    ...[...metadata].map((path) => ({ path, role: 'metadata' as const })),
  ];
}

const gripperName = /gripper|finger|jaw|claw/i;

/**
 * Grippers by the names of arrays. UMI records the width between the fingers, so that larger is open; how wide open is
 * depends on the gripper. Of other sets nobody says which end is open, and numbers alone do not tell.
 */
function grippersOf(streams: readonly Stream[], umi: boolean): GripperConvention[] {
  return streams.flatMap((stream) => {
    const { series, role, id } = stream;
    if (series === undefined || series.dims > 2 || (role !== 'state' && role !== 'action')) return [];
    if (!gripperName.test(id) || /vel|force|effort/i.test(id)) return [];
    return Array.from({ length: series.dims }, (_, dimension) => conventionOf(stream, dimension, umi));
  });
}

function conventionOf({ id, series }: Stream, dimension: number, umi: boolean): GripperConvention {
  const base = {
    stream: id,
    dimension,
    name: null,
    range_observed: observedRange(series!, dimension),
    open_value: null,
  };
  if (umi && /_gripper_width$/.test(id))
    return {
      ...base,
      unit: 'm between the fingers, larger is open',
      evidence: 'known_format',
      reason:
        'UMI records the width in metres; the width when open is the gripper’s own (gripper_range.json)',
    };
  return {
    ...base,
    unit: 'unknown',
    evidence: 'unknown',
    reason: 'a replay buffer does not say which value is open',
  };
}
