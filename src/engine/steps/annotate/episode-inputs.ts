import { AssayError, type JsonObject, sha256 } from '#core';
import type { LayerId, Receipt } from '#core/api';
import type { StreamRole } from '#core/episode';
import type { RecordingsRef } from '#io/sources';
import type { LaneEpisode } from '#labels/annotation';
import { BlobWindow } from '../../packs/blob-window.ts';
import { ShardWalk } from '../../packs/shard-walk.ts';
import { errorOf as faultOf } from '../../workers/failure.ts';
import type { AnnotateRequest, PictureSources } from '../messages.ts';
import type { StepContext } from '../step-context.ts';
import type { AnnotateItem, StoredOutput } from '../units.ts';
import type { EpisodeRecording } from './episode-frames.ts';

/** An episode as lanes are given it. */
export interface Input {
  readonly episode: LaneEpisode;
  /** What its receipt says that decides what comes out. */
  readonly facts: JsonObject;
  /** Throws where its pictures cannot be read any more. */
  readonly recording: () => EpisodeRecording;
  /** What other layers said of it before: their hashes, and the word itself. */
  readonly stored: Readonly<Partial<Record<LayerId, StoredOutput>>>;
  readonly output: (layer: LayerId) => Promise<JsonObject | null>;
}

/**
 * Episodes as lanes see them, out of receipts and shards. A store that does not answer is not waited for here: the
 * episode is tried again later, and others go on meanwhile.
 */
export class EpisodeInputs implements AsyncDisposable {
  readonly #shards: ShardWalk;
  readonly #receipts: BlobWindow;
  readonly #outputs: BlobWindow;
  readonly #pictures: PictureSources | null;
  /** By shard: place of the last episode that is wanted. */
  readonly #last = new Map<string, number>();

  constructor(
    items: readonly AnnotateItem[],
    { pictures }: Pick<AnnotateRequest, 'pictures'>,
    { blobs }: StepContext,
  ) {
    for (const { shard_blob, shard_place } of items)
      if (shard_blob !== null)
        this.#last.set(shard_blob, Math.max(shard_place ?? 0, this.#last.get(shard_blob) ?? 0));
    this.#shards = new ShardWalk(blobs);
    this.#receipts = new BlobWindow(blobs);
    this.#outputs = new BlobWindow(blobs);
    this.#pictures = pictures;
  }

  async of(item: AnnotateItem): Promise<Input> {
    const { pack_blob, offset, length, shard_blob, shard_place } = item;
    if (pack_blob === null) throw new AssayError('not_found', 'the episode is not there any more');
    const bytes = await this.#receipts.at(pack_blob, offset, length);
    const receipt: Receipt = JSON.parse(Buffer.from(bytes).toString());
    const { episode, kind, streams, grippers, sources } = receipt;
    const sharded =
      shard_blob === null
        ? noNumbers
        : await this.#shards.at(shard_blob, shard_place ?? 0, this.#last.get(shard_blob));
    if (sharded === null)
      throw new AssayError('unreadable_input', 'the numbers of the episode are not in their shard', {
        advice: 'run its source again',
      });
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
    const bytes = await this.#outputs.at(blob, offset, length);
    if (sha256(bytes) !== hash)
      throw new AssayError('hash_mismatch', 'what is stored of another layer is not what it wrote');
    return JSON.parse(Buffer.from(bytes).toString());
  }

  #recording(
    { source_id, dataset_path, dataset, index, start_ns }: AnnotateItem,
    { streams, frames }: Sharded,
    { sources }: Receipt,
  ): EpisodeRecording {
    const { recordings, datasets } = this.#pictures ?? { recordings: {}, datasets: {} };
    const opened = recordings[source_id];
    const recognised = datasets[dataset];
    if (opened === undefined || recognised === undefined)
      throw new AssayError('not_found', 'the run that judged the episode is not known any more');
    if ('code' in opened) throw faultOf(opened);
    const picturesOf = (role: StreamRole) =>
      streams.flatMap((stream) => {
        const own = stream.role === role ? frames[stream.id] : undefined;
        return own === undefined ? [] : [{ stream, frames: own }];
      });
    return {
      ...{ recordings: opened satisfies RecordingsRef, dataset_path, recognised, index, start_ns },
      ...{ cameras: picturesOf('camera'), depths: picturesOf('depth') },
      bytes_of: new Map(sources.map(({ path, bytes }) => [path, bytes])),
    };
  }
}

type Sharded = NonNullable<Awaited<ReturnType<ShardWalk['at']>>>;
const noNumbers: Sharded = { name: '', streams: [], frames: {}, calibrations: [] };
