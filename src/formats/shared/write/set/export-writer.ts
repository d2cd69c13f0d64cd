import type { JsonObject } from '#core';
import type { LayerId } from '#core/api';
import type { ExportEpisode } from './export-episode.ts';
import type { SetPlan } from './plan-set.ts';

/** Writes a set in one format, episode by episode. */
export interface ExportWriter {
  /** Takes the next episode; its numbers may be written over afterwards. */
  add(episode: ExportEpisode): Promise<void>;
  finish(): Promise<WrittenSet>;
  /** Lets go of what it holds open, whether it was finished or not. */
  close(): Promise<void>;
}

export interface WrittenSet {
  /** Rows or samples that the set holds. */
  readonly rows: number;
  /** What this format left away or changed, and why. */
  readonly edits: readonly JsonObject[];
}

export interface WriterOptions {
  /** A new or empty folder, absolute. */
  readonly folder: string;
  readonly plan: SetPlan;
  /** Annotation layers that say something of at least one of the episodes. */
  readonly layers: ReadonlySet<LayerId>;
  readonly signal: AbortSignal;
  /** Has come further, also where it takes long. */
  readonly onStep: () => void;
}

export type OpenWriter = (options: WriterOptions) => Promise<ExportWriter>;
