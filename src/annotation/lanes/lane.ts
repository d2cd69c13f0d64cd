import type { LayerId, Receipt } from '#contract';
import type { Stream } from '#episode';
import type { JsonObject } from '#kernel';
import type { LayerConfig } from '../layer.ts';

/** An episode as a lane sees it: what its receipt says of it, and its numbers. Pictures stay in the recording. */
export interface LaneEpisode {
  readonly facts: Pick<Receipt, 'episode' | 'kind' | 'streams' | 'grippers'>;
  /** As its reader gave them; cameras come without pictures. */
  readonly streams: readonly Stream[];
}

/** What a lane has to say of one episode. */
export interface LaneOutput {
  /** What is kept, as JSON of at most a few megabytes; the same episode and knobs give the same bytes. */
  readonly artifact: JsonObject;
  /** How many of what it holds: `{ segments: 7 }`. */
  readonly counts: Readonly<Record<string, number>>;
  /** The layer's quality signal, 0 to 1; null where this episode does not let it be told. */
  readonly quality: number | null;
  /** Why the signal cannot be told; null where it is. */
  readonly quality_reason: string | null;
}

/** The work behind a layer. A pure function of its input: it reads no file, no clock and no randomness. */
export interface LaneRow {
  readonly id: LayerId;
  /** One more whenever the same input gives other output. */
  readonly version: number;
  /** Throws `AssayError` with the reason where an episode cannot be annotated; the others go on. */
  readonly annotate: (episode: LaneEpisode, config: LayerConfig) => LaneOutput;
}
