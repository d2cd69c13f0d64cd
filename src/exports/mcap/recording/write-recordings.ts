import { join } from 'node:path';
import type { Episode, Stream } from '#episode';
import { AssayError, type JsonObject } from '#kernel';
import type { ExportEpisode } from '../../set/export-episode.ts';
import type { ExportWriter, OpenWriter, WriterOptions, WrittenSet } from '../../set/export-writer.ts';
import { cameraTrack } from './camera-track.ts';
import { McapFile } from './mcap-file.ts';
import { numberTrack, topicOf } from './number-track.ts';
import { encodeText, textMessage } from './schemas.ts';
import { episodeStart, streamTimes } from './stream-times.ts';
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
      for (const values of metadataOf(episode)) await file.metadata('assay', values);
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
      const track = await this.#track(own, stream, start);
      if (track !== null) tracks.push(track);
    }
    if (episode.events.length > 0) tracks.push(eventTrack(episode, start));
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

function eventTrack({ events }: Episode, start: bigint): Track {
  const ordered = [...events].sort((a, b) => a.time_s - b.time_s);
  const messages = async function* (): AsyncGenerator<TrackMessage> {
    for (const { time_s, label } of ordered) {
      const at_ns = start + BigInt(Math.round(time_s * 1e9));
      const log_ns = at_ns < 0n ? 0n : at_ns;
      yield { log_ns, sent_ns: log_ns, data: encodeText(log_ns, label) };
    }
  };
  return { topic: '/events', schema: textMessage, about: {}, messages: messages() };
}

/** A record for each task, so that all are read back. */
function metadataOf({ episode, tasks }: ExportEpisode): Record<string, string>[] {
  const { id, robot, outcome } = episode;
  const about = {
    episode: id,
    ...(robot === null ? {} : { robot }),
    ...(outcome.value === 'unknown' ? {} : { outcome: outcome.value }),
  };
  if (episode.tasks !== null && tasks.length === 0) return [{ ...about, task: '' }];
  const [first, ...rest] = tasks;
  return [{ ...about, ...(first === undefined ? {} : { task: first }) }, ...rest.map((task) => ({ task }))];
}
