import type { PackEntry } from '#store';

/** A measured unit, as it was claimed to be judged. */
export interface JudgeUnit {
  readonly place: number;
  readonly dataset: number;
  readonly attempt: number;
  readonly measured_blob: string;
  readonly pack_entry: PackEntry;
  readonly shard_blob: string | null;
}
