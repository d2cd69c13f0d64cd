import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import type { McapWriter } from '@mcap/core';
import { AssayError, type JsonObject } from '#core';
import type { Stream, StreamRole } from '#core/episode';
import { writing } from '../../../shared/write/files/writing.ts';
import type { ExportEpisode } from '../../../shared/write/set/export-episode.ts';
import type {
  ExportWriter,
  OpenWriter,
  WriterOptions,
  WrittenSet,
} from '../../../shared/write/set/export-writer.ts';
import { plainKey } from '../../../shared/write/set/plain-key.ts';
import { cameraTrack } from './camera-track.ts';
import { eventTrack, judgementTracks } from './said-tracks.ts';
import { type McapSchema, type SignalSchema, signalSchema } from './schemas.ts';
import { episodeStart, type StreamTimes, streamTimes } from './stream-times.ts';
import { inOrder, type Track, type TrackMessage } from './track.ts';

/** Opens a set of MCAP files, one an episode, with every stream at its own rate. */
export const openMcap: OpenWriter = async (options) => new RecordingsWriter(options);

class RecordingsWriter implements ExportWriter {
  readonly #options: WriterOptions;
  /** By edit and feature, each said once. */
  readonly #edits = new Map<string, JsonObject>();
  #messages = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  async add(episode: ExportEpisode): Promise<void> {
    const { folder, signal, onStep } = this.#options;
    const name = `episode_${String(episode.index).padStart(6, '0')}.mcap`;
    const tracks = await this.#tracks(episode);
    const file = await McapFile.open(join(folder, name));
    try {
      const channels: number[] = [];
      for (const { topic, schema, about } of tracks) channels.push(await file.channel(topic, schema, about));
      for await (const [track, { log_ns, sent_ns, data }] of inOrder(tracks)) {
        signal.throwIfAborted();
        await file.message(channels[track], log_ns, sent_ns, data);
        if (this.#messages++ % 1024 === 0) onStep();
      }
      for (const [title, values] of metadataRecords(episode)) await file.metadata(title, values);
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
    const start = episodeStart(episode);
    const tracks: Track[] = [];
    for (const stream of episode.streams) {
      if (!this.#options.plan.edited.has(stream.id)) continue;
      const track = await this.#track(own, stream, start);
      if (track !== null) tracks.push(track);
    }
    if (episode.events.length > 0) tracks.push(eventTrack(episode, start));
    if (own.judgement !== null) tracks.push(...judgementTracks(episode, own.tasks, own.judgement, start));
    if (episode.calibrations.length > 0) this.#drop('calibration', 'camera calibrations are not written');
    return tracks;
  }

  async #track(own: ExportEpisode, stream: Stream, start: bigint): Promise<Track | null> {
    const { id, series, frames, sample_count } = stream;
    if (sample_count === 0) return null;
    const times = streamTimes(stream, start, this.#options.plan.rate_hz);
    if (times === null)
      throw new AssayError(
        'usage',
        `nobody knows when the samples of ${id} were taken, and messages have times`,
        {
          advice: 'say their rate with --rate HZ',
        },
      );
    if (series !== undefined) return numberTrack(stream, times);
    if (frames === undefined) return this.#drop(id, 'its samples are no numbers and no pictures');
    if (frames.locator.type === 'missing')
      return this.#drop(id, `its pictures are not there: ${frames.locator.reason}`);
    const { track, edit } = await cameraTrack(own, stream, times);
    if (edit !== null) this.#edits.set(`${edit.edit} ${id}`, edit);
    return { ...track, topic: topicOf(stream), about: { stream: id, role: stream.role } };
  }

  #drop(feature: string, reason: string): null {
    this.#edits.set(`drop_feature ${feature}`, { edit: 'drop_feature', feature, reason });
    return null;
  }
}

/** A metadata record of a file: its name and values. */
type MetadataRecord = readonly [name: string, values: Readonly<Record<string, string>>];

/**
 * What concerns the whole of an episode, a record for each task, flag and finding. Their names are numbered, since readers
 * take one record of a name.
 */
function metadataRecords({ episode, tasks, judgement }: ExportEpisode): MetadataRecord[] {
  const { id, robot, outcome } = episode;
  const about = {
    episode: id,
    ...(robot === null ? {} : { robot }),
    ...(outcome.value === 'unknown' ? {} : { outcome: outcome.value }),
    ...(judgement === null ? {} : judged(judgement.receipt)),
  };
  const isUntold = episode.tasks !== null && tasks.length === 0;
  const [first, ...rest] = isUntold ? [''] : tasks;
  const { flags = [], findings = [] } = judgement?.receipt ?? {};
  return [
    ['assay', { ...about, ...(first === undefined ? {} : { task: first }) }],
    ...numbered(
      'task',
      rest.map((task) => ({ task })),
    ),
    ...numbered(
      'flag',
      flags.map(({ code, severity, check, message, advice, marks }) => ({
        ...{ code, severity, check, message, advice },
        marks: JSON.stringify(marks),
      })),
    ),
    ...numbered(
      'finding',
      findings.map(({ code, severity, message, advice }) => ({ code, severity, message, advice })),
    ),
  ];
}

const numbered = (name: string, records: readonly MetadataRecord[1][]): MetadataRecord[] =>
  records.map((values, i) => [`assay_${name}_${String(i + 1).padStart(3, '0')}`, values]);

const judged = ({ content_hash, decision, score }: NonNullable<ExportEpisode['judgement']>['receipt']) => ({
  decision,
  receipt: content_hash,
  ...(score === null ? {} : { score: String(score) }),
});

/** What a topic's name must hold for readers to take it for its role, and what goes before it where it does not. */
const words: Readonly<Partial<Record<StreamRole, readonly [RegExp, string]>>> = {
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

/** A stream's topic: its id, with its role before it where that does not tell it. */
function topicOf({ id, role }: Pick<Stream, 'id' | 'role'>): string {
  const plain = id.replace(/^\/+/, '');
  const word = words[role];
  return word === undefined || word[0].test(`/${plain}`) ? `/${plain}` : `/${word[1]}/${plain}`;
}

/** The messages of a signal: a field a dimension. */
function numberTrack(stream: Stream, times: StreamTimes): Track {
  const { id, names, series, unit, role } = stream;
  const values = series?.values ?? new Float64Array(0);
  const dims = series?.dims ?? 0;
  const type = values instanceof Float64Array ? 'double' : 'float';
  const schema = signalSchema(plainKey(id), names?.length === dims ? names : null, { dims, type });
  const named = names === null ? {} : { names: JSON.stringify(names) };
  return {
    topic: topicOf(stream),
    schema,
    about: { stream: id, role, unit: unit.unit, ...named },
    messages: samples(stream, schema, times),
  };
}

async function* samples(
  { sample_count, series }: Stream,
  schema: SignalSchema,
  times: StreamTimes,
): AsyncGenerator<TrackMessage> {
  if (series === undefined) return;
  const { values, dims } = series;
  for (let sample = 0; sample < sample_count; sample++) {
    const data = schema.encode(times.taken_ns(sample), values.subarray(sample * dims, (sample + 1) * dims));
    yield { log_ns: times.logged_ns(sample), sent_ns: times.sent_ns(sample), data };
  }
}

const chunkBytes = 2 ** 20;

/** Writes one MCAP file message by message: chunks packed by zstd, an index and statistics. Holds a chunk. */
export class McapFile {
  readonly #file: FileHandle;
  readonly #writer: McapWriter;
  readonly #schemas = new Map<string, number>();
  readonly #sequences = new Map<number, number>();

  private constructor(file: FileHandle, writer: McapWriter) {
    this.#file = file;
    this.#writer = writer;
  }

  static async open(path: string): Promise<McapFile> {
    const { McapWriter } = await import('@mcap/core');
    const file = await writing(path, open(path, 'wx'));
    let position = 0n;
    const writable = {
      write: async (buffer: Uint8Array) => {
        position += BigInt(buffer.byteLength);
        await writing(path, file.appendFile(buffer));
      },
      position: () => position,
    };
    const compressChunk = (data: Uint8Array) => ({
      compression: 'zstd',
      compressedData: zstdCompressSync(data),
    });
    const writer = new McapWriter({ writable, chunkSize: chunkBytes, compressChunk });
    await writer.start({ profile: '', library: 'assay' });
    return new McapFile(file, writer);
  }

  /** Gives the id of a channel. */
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

  async message(channelId: number, log_ns: bigint, publish_ns: bigint, data: Uint8Array): Promise<void> {
    const sequence = this.#sequences.get(channelId) ?? 0;
    this.#sequences.set(channelId, sequence + 1);
    await this.#writer.addMessage({ channelId, sequence, logTime: log_ns, publishTime: publish_ns, data });
  }

  async metadata(name: string, values: Readonly<Record<string, string>>): Promise<void> {
    await this.#writer.addMetadata({ name, metadata: new Map(Object.entries(values)) });
  }

  async finish(): Promise<void> {
    await this.#writer.end();
  }

  /** Whether it was finished or not. */
  async close(): Promise<void> {
    await this.#file.close();
  }
}
