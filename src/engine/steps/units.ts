import type { LayerId } from '#core/api';
import type { PackEntry, ReceiptsExtent, StoredPart } from '#store';
import type { Extent } from './packs/pack-file.ts';
import type { Task } from './tasks.ts';

/** A unit claimed for measuring. */
export interface MeasureUnit extends Task {
  readonly attempt: number;
}

/** Sections of a pack that hold the comparison rows of its units. */
export interface ComparedPack {
  readonly blob: string;
  readonly units: readonly { readonly place: number; readonly dataset: number; readonly rows: Extent }[];
}

/** A measured unit claimed for judging. */
export interface JudgeUnit {
  readonly place: number;
  readonly dataset: number;
  readonly attempt: number;
  readonly measured_blob: string;
  readonly pack_entry: PackEntry;
  readonly shard_blob: string | null;
}

/** A judged unit: its measured episodes and their receipts, line by line in the same order. */
export interface ReportUnit extends Omit<JudgeUnit, 'place' | 'attempt'> {
  readonly receipts: readonly ReceiptsExtent[];
}

/** An episode to annotate, with the locations of its receipt and numbers. Without a receipt it was deleted. */
export interface AnnotateItem {
  readonly place: number;
  readonly episode_id: string;
  readonly shard_blob: string | null;
  readonly shard_place: number | null;
  readonly pack_blob: string | null;
  readonly offset: number;
  readonly length: number;
  readonly source_id: string;
  /** Folder of the dataset relative to the source. */
  readonly dataset_path: string;
  /** Key of the dataset in `PictureSources.datasets`. */
  readonly dataset: string;
  /** Index of the episode in its dataset. */
  readonly index: number;
  readonly start_ns: string | null;
  /** Existing artifacts of the layers that are needed; `null` if there are none. */
  readonly outputs: Readonly<Partial<Record<LayerId, StoredOutput>>> | null;
}

/** Location of an artifact. */
export interface StoredOutput {
  readonly blob: string;
  readonly offset: number;
  readonly length: number;
  readonly hash: string;
}

/** A layer and its artifact's parts, which lie in the same blob. */
export interface OverlayLayer {
  readonly layer: LayerId;
  readonly parts: readonly StoredPart[];
}

/** An artifact of a run's layer, with the hash of the episode's receipt. */
export interface ReportedLayer extends StoredOutput, OverlayLayer {
  readonly content_hash: string;
}

/** Properties of a rendered film. */
export interface FilmAnswer {
  readonly camera: string;
  readonly pictures: number;
  readonly width_px: number;
  readonly height_px: number;
  readonly rate_hz: number;
}
