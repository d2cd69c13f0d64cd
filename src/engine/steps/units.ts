import type { LayerId } from '#core/api';
import type { WorkUnit } from '#formats';
import type { PackEntry, ReceiptsExtent, StoredPart } from '#store';
import type { Extent } from '../packs/pack-writer.ts';

/** A unit to be measured, as it was claimed. */
export interface MeasureUnit {
  readonly place: number;
  readonly dataset: number;
  readonly attempt: number;
  readonly unit: WorkUnit;
}

/** The sections of a pack that hold what comparisons collected of its units. */
export interface ComparedPack {
  readonly blob: string;
  readonly units: readonly { readonly place: number; readonly dataset: number; readonly rows: Extent }[];
}

/** A measured unit, as it was claimed to be judged. */
export interface JudgeUnit {
  readonly place: number;
  readonly dataset: number;
  readonly attempt: number;
  readonly measured_blob: string;
  readonly pack_entry: PackEntry;
  readonly shard_blob: string | null;
}

/** A judged unit: what was measured of its episodes, and their receipts, line by line the same episode. */
export interface ReportUnit extends Omit<JudgeUnit, 'place' | 'attempt'> {
  readonly receipts: readonly ReceiptsExtent[];
}

/** An episode to be annotated: where its receipt and its numbers lie. Without a receipt it is gone. */
export interface AnnotateItem {
  readonly place: number;
  readonly episode_id: string;
  readonly shard_blob: string | null;
  readonly shard_place: number | null;
  readonly pack_blob: string | null;
  readonly offset: number;
  readonly length: number;
  readonly source_id: string;
  /** Folder of its dataset relative to the source. */
  readonly dataset_path: string;
  /** Its dataset among `PictureSources.datasets`. */
  readonly dataset: string;
  /** Of the episode in its dataset. */
  readonly index: number;
  readonly start_ns: string | null;
  /** What the layers that are needed said of it; null where none did. */
  readonly outputs: Readonly<Partial<Record<LayerId, StoredOutput>>> | null;
}

/** Where an artifact lies. */
export interface StoredOutput {
  readonly blob: string;
  readonly offset: number;
  readonly length: number;
  readonly hash: string;
}

/** A layer, and the parts that lie in one blob with what it says. */
export interface FilmedLayer {
  readonly layer: LayerId;
  readonly parts: readonly StoredPart[];
}

/** What a layer of a run says of an episode, by the receipt of that. */
export interface ReportedLayer extends StoredOutput, FilmedLayer {
  readonly content_hash: string;
}

/** What a film shows. */
export interface FilmAnswer {
  readonly camera: string;
  readonly pictures: number;
  readonly width_px: number;
  readonly height_px: number;
  readonly rate_hz: number;
}
