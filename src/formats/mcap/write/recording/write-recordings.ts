import { join } from 'node:path';
import { AssayError, type JsonObject } from '#core';
import type { Stream } from '#core/episode';
import type { ExportEpisode } from '../../../shared/write/set/export-episode.ts';
import type {
  ExportWriter,
  OpenWriter,
  WriterOptions,
  WrittenSet,
} from '../../../shared/write/set/export-writer.ts';
import { cameraTrack } from './camera-track.ts';
import { McapFile } from './mcap-file.ts';
import { metadataRecords } from './metadata-records.ts';
import { numberTrack, topicOf } from './number-track.ts';
import { eventTrack, judgementTracks } from './said-tracks.ts';
import { episodeStart, streamTimes } from './stream-times.ts';
import { inOrder, type Track } from './track.ts';

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
