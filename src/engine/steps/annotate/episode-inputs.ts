import { AssayError, type JsonObject, sha256 } from '#core';
import type { LayerId, Receipt } from '#core/api';
import type { StreamRole } from '#core/episode';
import type { RecordingsRef } from '#io/sources';
import type { LaneEpisode } from '#labels/annotation';
import { fromFailure as faultOf } from '../../workers/messages.ts';
import type { AnnotateRequest, PictureSources, StepContext } from '../messages.ts';
import { BlobWindow, ShardCursor } from '../packs/blob-readers.ts';
import type { AnnotateItem, StoredOutput } from '../units.ts';
import type { EpisodeRecording } from './episode-frames.ts';

/** Input of the lanes for one episode. */
export interface EpisodeInput {
  readonly episode: LaneEpisode;
  /** Facts of the receipt that affect the output. */
  readonly facts: JsonObject;
  /** Returns the locations of the pictures. Throws if they cannot be read any more. */
  readonly recording: () => EpisodeRecording;
  /** Existing artifacts of other layers: their locations, and a function that reads one. */
  readonly stored: Readonly<Partial<Record<LayerId, StoredOutput>>>;
  readonly output: (layer: LayerId) => Promise<JsonObject | null>;
}

/**
 * Reads the inputs of lanes from receipts and shards. An unavailable store is not waited for here: the episode is
 * retried later, while others go on.
 */
export class EpisodeInputs implements AsyncDisposable {
  readonly #shards: ShardCursor;
  readonly #receipts: BlobWindow;
  readonly #outputs: BlobWindow;
  readonly #pictures: PictureSources | null;
  /** Last requested place per shard. */
  readonly #lastPlace = new Map<string, number>();

  constructor(
    items: readonly AnnotateItem[],
    { pictures }: Pick<AnnotateRequest, 'pictures'>,
    { blobs }: StepContext,
  ) {
    for (const { shard_blob, shard_place } of items)
      if (shard_blob !== null)
        this.#lastPlace.set(shard_blob, Math.max(shard_place ?? 0, this.#lastPlace.get(shard_blob) ?? 0));
    this.#shards = new ShardCursor(blobs);
    this.#receipts = new BlobWindow(blobs);
    this.#outputs = new BlobWindow(blobs);
    this.#pictures = pictures;
  }

  /**
   * Returns the input of an episode. Throws `not_found` if it was deleted, `unreadable_input` if its numbers are
   * missing.
   */
  async read(item: AnnotateItem): Promise<EpisodeInput> {
    const { pack_blob, offset, length, shard_blob, shard_place } = item;
    if (pack_blob === null) throw new AssayError('not_found', 'the episode no longer exists');
    const bytes = await this.#receipts.read(pack_blob, offset, length);
    const receipt: Receipt = JSON.parse(Buffer.from(bytes).toString());
    const { episode, kind, streams, grippers, sources } = receipt;
    const sharded =
      shard_blob === null
        ? emptyShard
        : await this.#shards.read(shard_blob, shard_place ?? 0, this.#lastPlace.get(shard_blob));
    if (sharded === null)
      throw new AssayError(
        'unreadable_input',
        'the signal values of the episode are missing from their shard',
        {
          advice: 'start a new run of its source',
        },
      );
    const stored = item.outputs ?? {};
    return {
      episode: {
        facts: { episode, kind, streams, grippers },
        streams: sharded.streams,
        calibrations: sharded.calibrations,
      },
      facts: { episode, grippers, kind, sources, streams } as unknown as JsonObject,
      recording: () => this.#recording(item, sharded, receipt),
      stored,
      output: async (layer) => {
        const own = stored[layer];
        return own === undefined ? null : this.#output(own);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shards[Symbol.asyncDispose]();
  }

  async #output({ blob, offset, length, hash }: StoredOutput): Promise<JsonObject> {
    const bytes = await this.#outputs.read(blob, offset, length);
    if (sha256(bytes) !== hash)
      throw new AssayError('hash_mismatch', 'the stored artifact of another layer is corrupt');
    return JSON.parse(Buffer.from(bytes).toString());
  }

  #recording(
    { source_id, dataset_path, dataset, index, start_ns }: AnnotateItem,
    { streams, frames }: ShardData,
    { sources }: Receipt,
  ): EpisodeRecording {
    const { recordings, datasets } = this.#pictures ?? { recordings: {}, datasets: {} };
    const opened = recordings[source_id];
    const recognised = datasets[dataset];
    if (opened === undefined || recognised === undefined)
      throw new AssayError('not_found', 'the run that assessed the episode no longer exists');
    if ('code' in opened) throw faultOf(opened);
    const picturesOf = (role: StreamRole) =>
      streams.flatMap((stream) => {
        const own = stream.role === role ? frames[stream.id] : undefined;
        return own === undefined ? [] : [{ stream, frames: own }];
      });
    return {
      ...{ recordings: opened satisfies RecordingsRef, dataset_path, recognised, index, start_ns },
      ...{ cameras: picturesOf('camera'), depths: picturesOf('depth') },
      file_sizes: new Map(sources.map(({ path, bytes }) => [path, bytes])),
    };
  }
}

type ShardData = NonNullable<Awaited<ReturnType<ShardCursor['read']>>>;
const emptyShard: ShardData = { name: '', streams: [], frames: {}, calibrations: [] };
