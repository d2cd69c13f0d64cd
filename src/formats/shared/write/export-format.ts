import type { JsonObject } from '#core';
import type { ExportFormatId, LayerId } from '#core/api';
import type { ExportEditId } from '#core/api/bounds';
import type { Kind } from '#core/episode';
import type { ExportEpisode } from './set/export-episode.ts';
import type { SetPlan } from './set/plan-set.ts';

/** An export format. */
export interface ExportFormat {
  readonly id: ExportFormatId;
  readonly title: string;
  readonly carries: string;
  /** Kinds of data that it can hold. */
  readonly kinds: readonly Kind[];
  /** Reason why it cannot hold the other kinds. */
  readonly otherwise: string;
  /** True if it holds pictures and no numbers. */
  readonly pictures_only?: true;
  /** True if it stores Assay's judgement of each episode. */
  readonly judgements?: true;
  /** Annotation layers that it can store on request, apart from labels of the recordings; absent for none. */
  readonly annotations?: readonly LayerId[];
  /** Edits supported for this format, from any recordings. */
  readonly edits: readonly ExportEditId[];
  /** Loads the writer. */
  readonly writer: () => Promise<OpenWriter>;
}

/** Edits supported by formats of rows. */
export const rowEdits = ['drop', 'convert', 'cut', 'shift', 'trim', 'rename'] as const;
/** Edits supported by formats of single pictures. */
export const pictureEdits = ['drop', 'cut', 'trim', 'rename'] as const;

/** Kinds of recordings whose rows have times. */
export const timedKinds = ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'state-only'] as const;
/** Kinds of recordings that may have cameras. */
export const kindsWithPictures = [
  'teleop',
  'egocentric',
  'drive-log',
  'aerial-flight',
  'vision-asset',
] as const;

/** Writer of a set in one format, episode by episode. */
export interface ExportWriter {
  /** Writes the next episode; its numbers may be overwritten afterwards. */
  add(episode: ExportEpisode): Promise<void>;
  /** Completes the set. */
  finish(): Promise<WrittenSet>;
  /** Releases open resources, whether finished or not. */
  close(): Promise<void>;
}

/** Result of writing a set. */
export interface WrittenSet {
  /** Number of rows or samples in the set. */
  readonly rows: number;
  /** Lineage entries about what this format omitted or changed. */
  readonly edits: readonly JsonObject[];
}

/** Options of an export writer. */
export interface WriterOptions {
  /** Absolute path of a new or empty folder. */
  readonly folder: string;
  readonly plan: SetPlan;
  /** Annotation layers with content for at least one episode. */
  readonly layers: ReadonlySet<LayerId>;
  readonly signal: AbortSignal;
  /** Reports progress; also called within long steps. */
  readonly onStep: () => void;
}

/** Opens a writer. */
export type OpenWriter = (options: WriterOptions) => Promise<ExportWriter>;
