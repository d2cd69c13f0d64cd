import {
  type Episode,
  type Finding,
  type GripperConvention,
  type Stream,
  unknownOutcome,
} from '#core/episode';
import type { UsedFile } from '#io/sources';
import { observedRange } from '../shared/grippers.ts';
import type { Unreadable } from '../shared/reader.ts';
import { type ChunkStats, newChunkStats } from './array-reader.ts';
import { findUnsupportedCodec } from './codecs.ts';
import { type EpisodeRows, findEpisodeRows, type RowClock, stampClock, umiClock } from './episode-rows.ts';
import { arrayRole, arrayUnit, isUmi, pictureShape, samplePictureRows } from './picture-rows.ts';
import { type DataArray, endsKey, type ReplaySet } from './replay-set.ts';
import { replayViolation } from './rules.ts';

/** Maximum numbers per row; wider rows are counted but not read. */
const maxDimensions = 4096;
/** Maximum numbers of one array in one episode. */
const maxNumbers = 1 << 27;
/** Maximum chunk files listed as sources; images with one file each can be many more. */
const maxSources = 4096;

/** An episode before its files are hashed. */
export interface ReadRows {
  readonly episode: Omit<Episode, 'sources'>;
  readonly files: readonly UsedFile[];
}

function episodeId(index: number): string {
  return `episode_${String(index).padStart(6, '0')}`;
}

/** Reads the rows of one episode from every array, chunk by chunk; an `Unreadable` if the episode has no rows. */
export async function readEpisode(set: ReplaySet, index: number): Promise<ReadRows | Unreadable> {
  const { store, ends, rows } = set;
  const path = store.fileOf(`${endsKey}/.zarray`);
  const span = findEpisodeRows(ends, index, rows, path);
  if (span.fault !== null) return { unreadable: true, id: episodeId(index), index, finding: span.fault };
  const findings: Finding[] = span.missing_rows > 0 ? [lackingFinding(index, span, path)] : [];
  const isUmiSet = isUmi(set.arrays.map(({ name }) => name));
  const clock = await readClock(set, span, isUmiSet, findings);
  const streams: Stream[] = [];
  for (const array of set.arrays) {
    if (array.name === 'timestamp' && clock !== null && !isUmiSet) continue;
    streams.push(await readStream(set, array, span, clock, isUmiSet, findings));
  }
  return {
    files: listFiles(set, span),
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
      grippers: gripperConventions(streams, isUmiSet),
      labels: null,
      ...(isUmiSet || clock === null
        ? { clockless: 'a replay buffer without an array timestamp has no times' }
        : {}),
      findings,
    },
  };
}

async function readClock(
  set: ReplaySet,
  { first, end }: EpisodeRows,
  isUmiSet: boolean,
  findings: Finding[],
): Promise<RowClock | null> {
  if (isUmiSet) return umiClock(end - first);
  const stamps = set.arrays.find(({ name }) => name === 'timestamp');
  if (stamps === undefined || stamps.reader.width !== 1 || stamps.reader.meta.type === null) return null;
  if (stamps.reader.rows < end || findUnsupportedCodec(stamps.reader.meta) !== null) return null;
  const stats = newChunkStats();
  const values = await stamps.reader.readNumbers(first, end, stats);
  findings.push(...chunkFindings(set, stamps, stats));
  return stats.unread === null ? stampClock(Float64Array.from(values)) : null;
}

async function readStream(
  set: ReplaySet,
  array: DataArray,
  { first, end }: EpisodeRows,
  clock: RowClock | null,
  isUmiSet: boolean,
  findings: Finding[],
): Promise<Stream> {
  const { name, reader } = array;
  const last = Math.min(end, reader.rows);
  const rows = Math.max(0, last - first);
  const stats = newChunkStats();
  const base = {
    id: name,
    names: null,
    unit: arrayUnit(name, isUmiSet),
    declared_rate_hz: null,
    sample_count: rows,
    ...clockPart(clock, rows),
    shape: reader.meta.shape.slice(1),
  };
  const picture = pictureShape(reader.meta, name);
  const finish = (stream: Stream): Stream => {
    findings.push(...chunkFindings(set, array, stats));
    return stream;
  };
  if (picture !== null) {
    const time_s = clock?.clock.time_s ?? null;
    const pictures = await samplePictureRows(reader, picture, [first, first + rows], time_s, stats);
    if (pictures.unread !== null) stats.unread = pictures.unread;
    const path = set.store.fileOf(`${reader.meta.key}/.zarray`);
    return finish({
      ...base,
      role: picture.depth ? 'depth' : 'camera',
      modality: 'image',
      frames: {
        locator: { type: 'embedded', path, channel: name, encoding: pictures.encoding },
        declared_size_px: [picture.width, picture.height],
        declared_codec: pictures.unread,
        payloads: pictures.payloads,
        kept: pictures.kept,
      },
    });
  }
  const opaque: Stream = { ...base, role: 'other', modality: 'opaque' };
  if (reader.meta.type === null || reader.width > maxDimensions || rows * reader.width > maxNumbers)
    return finish(opaque);
  const codec = findUnsupportedCodec(reader.meta);
  if (codec !== null) {
    stats.unread = codec;
    return finish(opaque);
  }
  const values = await reader.readNumbers(first, first + rows, stats);
  if (stats.unread !== null) return finish(opaque);
  return finish({
    ...base,
    role: arrayRole(name),
    modality: 'numeric',
    series: { values, dims: reader.width },
  });
}

function clockPart(clock: RowClock | null, rows: number): Pick<Stream, 'clocks' | 'clock'> {
  if (clock === null) return { clocks: [], clock: null };
  const { time_s } = clock.clock;
  const rowClock =
    time_s.length === rows ? clock.clock : { ...clock.clock, time_s: time_s.subarray(0, rows) };
  return { clocks: [rowClock], clock: clock.choice };
}

/** Returns findings about missing, damaged and unsupported chunks of an array in these rows. */
function chunkFindings({ store }: ReplaySet, { name, reader }: DataArray, stats: ChunkStats): Finding[] {
  const path = store.fileOf(`${reader.meta.key}/.zarray`);
  const findings: Finding[] = [];
  if (stats.missing > 0)
    findings.push(
      replayViolation(
        'chunks_missing',
        path,
        `${stats.missing} of the ${stats.requested} chunks of ${name} in this episode are missing; zarr readers return ${reader.meta.fill} for their values`,
        { array: name, missing: stats.missing, of: stats.requested },
      ),
    );
  const [first] = stats.damaged;
  if (first !== undefined)
    findings.push(
      replayViolation(
        'chunk_damaged',
        store.fileOf(first.key),
        `${stats.damaged.length} of the ${stats.requested} chunks of ${name} in this episode cannot be decoded; ${first.key}: ${first.why}`,
        { array: name, chunks: stats.damaged.slice(0, 50).map(({ key }) => key) },
      ),
    );
  if (stats.unread !== null)
    findings.push({
      code: 'codec_unread',
      severity: 'warning',
      path,
      message: `${name} is encoded with ${stats.unread}, which is not supported: ${pictureShape(reader.meta, name) === null ? 'its numbers were' : 'its images were'} not evaluated`,
      advice: 'write the array again with blosc, zlib or zstd to have it evaluated',
      evidence: { array: name, codec: stats.unread },
    });
  return findings;
}

function lackingFinding(
  index: number,
  { first, end, missing_rows: missing }: EpisodeRows,
  path: string,
): Finding {
  return {
    code: 'length_mismatch',
    severity: 'error',
    path,
    message: `episode ${index} should have ${end + missing - first} rows, but the arrays end after ${end - first} of them`,
    advice: 'restore the rows, or correct episode_ends',
    evidence: { declared: end + missing - first, found: end - first },
  };
}

function listFiles({ store, arrays }: ReplaySet, { first, end }: EpisodeRows): UsedFile[] {
  const data = new Set<string>();
  for (const { reader } of arrays)
    for (const key of reader.chunkKeys(first, Math.min(end, reader.rows)))
      if (store.has(key) && data.size < maxSources) data.add(store.fileOf(key));
  const described = [endsKey, ...arrays.map(({ reader }) => reader.meta.key)].map((key) => `${key}/.zarray`);
  const metadata = new Set(described.map((key) => store.fileOf(key)).filter((path) => !data.has(path)));
  return [
    ...[...data].map((path) => ({ path, role: 'data' as const })),
    ...[...metadata].map((path) => ({ path, role: 'metadata' as const })),
  ];
}

const gripperName = /gripper|finger|jaw|claw/i;

/**
 * Returns gripper conventions by array name. UMI records the width between the fingers, so larger is open, and the open
 * width depends on the gripper. For other sets it is unknown which value is open.
 */
function gripperConventions(streams: readonly Stream[], isUmiSet: boolean): GripperConvention[] {
  return streams.flatMap((stream) => {
    const { series, role, id } = stream;
    if (series === undefined || series.dims > 2 || (role !== 'state' && role !== 'action')) return [];
    if (!gripperName.test(id) || /vel|force|effort/i.test(id)) return [];
    return Array.from({ length: series.dims }, (_, dimension) =>
      gripperConvention(stream, dimension, isUmiSet),
    );
  });
}

function gripperConvention({ id, series }: Stream, dimension: number, isUmiSet: boolean): GripperConvention {
  const base = {
    stream: id,
    dimension,
    name: null,
    range_observed: observedRange(series!, dimension),
    open_value: null,
  };
  if (isUmiSet && /_gripper_width$/.test(id))
    return {
      ...base,
      unit: 'm between the fingers, larger is open',
      evidence: 'known_format',
      reason:
        'UMI records the gripper width in m; the width when open depends on the gripper (gripper_range.json)',
    };
  return {
    ...base,
    unit: 'unknown',
    evidence: 'unknown',
    reason: 'replay buffers do not declare which gripper value means open',
  };
}
