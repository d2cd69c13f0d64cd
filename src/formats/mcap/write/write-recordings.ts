import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import type { McapWriter } from '@mcap/core';
import { AssayError, type JsonObject } from '#core';
import type { Stream, StreamRole } from '#core/episode';
import type {
  ExportWriter,
  OpenWriter,
  WriterOptions,
  WrittenSet,
} from '../../shared/write/export-format.ts';
import { toSafeName, withWriteErrors } from '../../shared/write/output-files.ts';
import type { ExportEpisode } from '../../shared/write/set/export-episode.ts';
import { createEventTrack, createJudgementTracks } from './annotation-tracks.ts';
import { createCameraTrack } from './camera-track.ts';
import { createSignalSchema, type McapSchema, type SignalSchema } from './schemas.ts';
import {
  computeEpisodeStart_ns,
  mergeByLogTime,
  resolveStreamTimes,
  type StreamTimes,
  type Track,
  type TrackMessage,
} from './tracks.ts';

/** Opens a writer of MCAP files: one file per episode, every stream at its own rate. */
export const openMcap: OpenWriter = async (options) => new RecordingsWriter(options);

/** Writes each episode as an MCAP file. */
class RecordingsWriter implements ExportWriter {
  readonly #options: WriterOptions;
  /** Reported edits by kind and feature, so that each is listed once. */
  readonly #edits = new Map<string, JsonObject>();
  #messages = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  async add(episode: ExportEpisode): Promise<void> {
    const { folder, signal, onStep } = this.#options;
    const name = `episode_${String(episode.index).padStart(6, '0')}.mcap`;
    const tracks = await this.#tracks(episode);
    const file = await McapFileWriter.open(join(folder, name));
    try {
      const channels: number[] = [];
      for (const { topic, schema, metadata } of tracks)
        channels.push(await file.channel(topic, schema, metadata));
      for await (const [track, { log_ns, publish_ns, data }] of mergeByLogTime(tracks)) {
        signal.throwIfAborted();
        await file.message(channels[track], log_ns, publish_ns, data);
        if (this.#messages++ % 1024 === 0) onStep();
      }
      for (const [title, values] of createMetadataRecords(episode)) await file.metadata(title, values);
      await file.finish();
    } finally {
      await file.close();
    }
  }

  async finish(): Promise<WrittenSet> {
    return { rows: this.#messages, edits: [...this.#edits.values()] };
  }

  async close(): Promise<void> {}

  async #tracks(own: ExportEpisode): Promise<Track[]> {
    const { episode } = own;
    const start = computeEpisodeStart_ns(episode);
    const tracks: Track[] = [];
    for (const stream of episode.streams) {
      if (!this.#options.plan.edited.has(stream.id)) continue;
      const track = await this.#track(own, stream, start);
      if (track !== null) tracks.push(track);
    }
    if (episode.events.length > 0) tracks.push(createEventTrack(episode, start));
    if (own.judgement !== null)
      tracks.push(...createJudgementTracks(episode, own.tasks, own.judgement, start));
    if (episode.calibrations.length > 0) this.#drop('calibration', 'camera calibrations are not written');
    return tracks;
  }

  async #track(own: ExportEpisode, stream: Stream, start: bigint): Promise<Track | null> {
    const { id, series, frames, sample_count } = stream;
    if (sample_count === 0) return null;
    const times = resolveStreamTimes(stream, start, this.#options.plan.rate_hz);
    if (times === null)
      throw new AssayError('usage', `${id} has no timestamps, which MCAP messages require`, {
        advice: 'declare the rate with --rate HZ',
      });
    if (series !== undefined) return createSignalTrack(stream, times);
    if (frames === undefined) return this.#drop(id, 'its samples are neither numbers nor images');
    if (frames.locator.type === 'missing')
      return this.#drop(id, `its images are missing: ${frames.locator.reason}`);
    const { track, edit } = await createCameraTrack(own, stream, times);
    if (edit !== null) this.#edits.set(`${edit.edit} ${id}`, edit);
    return { ...track, topic: chooseTopic(stream), metadata: { stream: id, role: stream.role } };
  }

  #drop(feature: string, reason: string): null {
    this.#edits.set(`drop_feature ${feature}`, { edit: 'drop_feature', feature, reason });
    return null;
  }
}

/** A metadata record of a file: its name and values. */
type MetadataRecord = readonly [name: string, values: Readonly<Record<string, string>>];

/**
 * Creates the metadata records of an episode: one for the episode, and one for each further task, flag and finding.
 * Names are numbered, since readers keep only one record per name.
 */
function createMetadataRecords({ episode, tasks, judgement }: ExportEpisode): MetadataRecord[] {
  const { id, robot, outcome } = episode;
  const about = {
    episode: id,
    ...(robot === null ? {} : { robot }),
    ...(outcome.value === 'unknown' ? {} : { outcome: outcome.value }),
    ...(judgement === null ? {} : receiptMetadata(judgement.receipt)),
  };
  const isUntold = episode.tasks !== null && tasks.length === 0;
  const [first, ...rest] = isUntold ? [''] : tasks;
  const { flags = [], findings = [] } = judgement?.receipt ?? {};
  return [
    ['assay', { ...about, ...(first === undefined ? {} : { task: first }) }],
    ...numberRecords(
      'task',
      rest.map((task) => ({ task })),
    ),
    ...numberRecords(
      'flag',
      flags.map(({ code, severity, check, message, advice, marks }) => ({
        ...{ code, severity, check, message, advice },
        marks: JSON.stringify(marks),
      })),
    ),
    ...numberRecords(
      'finding',
      findings.map(({ code, severity, message, advice }) => ({ code, severity, message, advice })),
    ),
  ];
}

const numberRecords = (name: string, records: readonly MetadataRecord[1][]): MetadataRecord[] =>
  records.map((values, i) => [`assay_${name}_${String(i + 1).padStart(3, '0')}`, values]);

const receiptMetadata = ({
  content_hash,
  decision,
  score,
}: NonNullable<ExportEpisode['judgement']>['receipt']) => ({
  decision,
  receipt: content_hash,
  ...(score === null ? {} : { score: String(score) }),
});

/** For each role, the pattern by which readers recognise topics, and the prefix for topics that do not match it. */
const roleTopicWords: Readonly<Partial<Record<StreamRole, readonly [RegExp, string]>>> = {
  action: [/(^|[/_.])(action|actions|command|commands|cmd|setpoint|target|goal|leader)([/_.]|$)/i, 'action'],
  state: [/(^|[/_.])(state|states|joint_states|observation|joint|joints|gripper|qpos)([/_.]|$)/i, 'state'],
  imu: [/(^|[/_.])imu([/_.]|$)/i, 'imu'],
  gnss: [/(^|[/_.])(gps|gnss|fix)([/_.]|$)/i, 'gnss'],
  attitude: [/(^|[/_.])attitude([/_.]|$)/i, 'attitude'],
  odometry: [/(^|[/_.])odom(etry)?([/_.]|$)/i, 'odometry'],
  vehicle: [/(^|[/_.])(can|vehicle|steering|wheel_speed|throttle|brake)([/_.]|$)/i, 'vehicle'],
  effort: [/(^|[/_.])(wrench|effort|torque)([/_.]|$)/i, 'effort'],
  tactile: [/(^|[/_.])(tactile|touch)([/_.]|$)/i, 'tactile'],
  reward: [/(^|[/_.])reward([/_.]|$)/i, 'reward'],
};

/** Returns the topic of a stream: its id, prefixed by its role if the id does not show it. */
function chooseTopic({ id, role }: Pick<Stream, 'id' | 'role'>): string {
  const plain = id.replace(/^\/+/, '');
  const word = roleTopicWords[role];
  return word === undefined || word[0].test(`/${plain}`) ? `/${plain}` : `/${word[1]}/${plain}`;
}

/** Creates the track of a signal, with one message field per dimension. */
function createSignalTrack(stream: Stream, times: StreamTimes): Track {
  const { id, names, series, unit, role } = stream;
  const values = series?.values ?? new Float64Array(0);
  const dims = series?.dims ?? 0;
  const type = values instanceof Float64Array ? 'double' : 'float';
  const schema = createSignalSchema(toSafeName(id), names?.length === dims ? names : null, { dims, type });
  const named = names === null ? {} : { names: JSON.stringify(names) };
  return {
    topic: chooseTopic(stream),
    schema,
    metadata: { stream: id, role, unit: unit.unit, ...named },
    messages: signalMessages(stream, schema, times),
  };
}

async function* signalMessages(
  { sample_count, series }: Stream,
  schema: SignalSchema,
  times: StreamTimes,
): AsyncGenerator<TrackMessage> {
  if (series === undefined) return;
  const { values, dims } = series;
  for (let sample = 0; sample < sample_count; sample++) {
    const data = schema.encode(times.taken_ns(sample), values.subarray(sample * dims, (sample + 1) * dims));
    yield { log_ns: times.logged_ns(sample), publish_ns: times.sent_ns(sample), data };
  }
}

/** Uncompressed chunk size, in bytes. */
const chunkBytes = 2 ** 20;

/**
 * Writes one MCAP file message by message: zstd chunks, message index and statistics. Holds one chunk in memory.
 */
export class McapFileWriter {
  readonly #file: FileHandle;
  readonly #writer: McapWriter;
  readonly #schemas = new Map<string, number>();
  readonly #sequences = new Map<number, number>();

  private constructor(file: FileHandle, writer: McapWriter) {
    this.#file = file;
    this.#writer = writer;
  }

  /** Creates a new file and starts it; throws `output_unwritable` if it exists or cannot be written. */
  static async open(path: string): Promise<McapFileWriter> {
    const { McapWriter } = await import('@mcap/core');
    const file = await withWriteErrors(path, open(path, 'wx'));
    let position = 0n;
    const writable = {
      write: async (buffer: Uint8Array) => {
        position += BigInt(buffer.byteLength);
        await withWriteErrors(path, file.appendFile(buffer));
      },
      position: () => position,
    };
    const compressChunk = (data: Uint8Array) => ({
      compression: 'zstd',
      compressedData: zstdCompressSync(data),
    });
    const writer = new McapWriter({ writable, chunkSize: chunkBytes, compressChunk });
    await writer.start({ profile: '', library: 'assay' });
    return new McapFileWriter(file, writer);
  }

  /** Registers a channel, and its schema on first use; returns the channel id. */
  async channel(
    topic: string,
    { name, definition }: McapSchema,
    about: Readonly<Record<string, string>>,
  ): Promise<number> {
    const known = this.#schemas.get(name);
    const schemaId =
      known ?? (await this.#writer.registerSchema({ name, encoding: 'protobuf', data: definition }));
    this.#schemas.set(name, schemaId);
    const metadata = new Map(Object.entries(about));
    return this.#writer.registerChannel({ schemaId, topic, messageEncoding: 'protobuf', metadata });
  }

  /** Writes one message with the next sequence number of its channel; the data is not copied. */
  async message(channelId: number, log_ns: bigint, publish_ns: bigint, data: Uint8Array): Promise<void> {
    const sequence = this.#sequences.get(channelId) ?? 0;
    this.#sequences.set(channelId, sequence + 1);
    await this.#writer.addMessage({ channelId, sequence, logTime: log_ns, publishTime: publish_ns, data });
  }

  /** Writes one metadata record. */
  async metadata(name: string, values: Readonly<Record<string, string>>): Promise<void> {
    await this.#writer.addMetadata({ name, metadata: new Map(Object.entries(values)) });
  }

  /** Writes the summary and the footer; the file must still be closed. */
  async finish(): Promise<void> {
    await this.#writer.end();
  }

  /** Closes the file, finished or not. */
  async close(): Promise<void> {
    await this.#file.close();
  }
}
