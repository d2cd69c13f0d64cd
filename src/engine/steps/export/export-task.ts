import type { JsonObject } from '#core';
import type { ExportFormatId } from '#core/api';
import type { CopyPlan, EditRequest, KeptSpan } from '#formats/write';
import type { AnnotationHashes } from '../annotated/annotation-notes.ts';
import type { AnnotationSource } from '../annotated/read-annotated.ts';
import type { JudgedFacts } from './judged-facts.ts';

/** A dataset that episodes leave. */
export interface ExportSource {
  /** What people call it. */
  readonly name: string;
  /** The dataset's place below its path; '' for the path itself. */
  readonly dataset: string;
  /** Its format, where others may lie in the same place. */
  readonly of?: string;
  /** Ids of the episodes that stay, in the dataset's order. */
  readonly keep: readonly string[];
  /** The name that a feature gets, by its own name; the others keep theirs. */
  readonly names: Readonly<Record<string, string>>;
  /** What a plan leaves of some of its episodes, by id. */
  readonly trims?: Readonly<Record<string, KeptSpan>>;
  /** By episode id, where the format holds what Assay says of it. */
  readonly judged?: Readonly<Record<string, JudgedFacts>>;
}

/** What is asked of an export. */
export interface ExportAsked {
  readonly format: ExportFormatId;
  /** What is changed on the way; absent: nothing. */
  readonly edits?: EditRequest;
  /** Rows a second that are asked for; absent: the recording's own. */
  readonly rate_hz?: number;
}

/** Which episodes leave, as what, and where to. Plain data: it crosses threads. */
export interface ExportSetTask extends ExportAsked {
  /** One dataset; several become one set. */
  readonly sources: readonly ExportSource[];
  /** A new or empty folder, absolute. */
  readonly folder: string;
  /** A folder that `assay annotate` wrote, absolute; what it says travels along. */
  readonly annotations?: string;
}

/** What an export would do. */
export interface ExportPlan extends CopyPlan {
  /** The edits as the lineage has them. */
  readonly edits: readonly JsonObject[];
}

/** What was read and written. */
export interface ExportedSet {
  readonly format: ExportFormatId;
  /** Rows or samples of the set. */
  readonly rows: number;
  /**
   * Its episodes in order, each with its source and the rows of the source's episode that it holds (null: all); absent:
   * those of the only source that were to be kept.
   */
  readonly episodes?: readonly WrittenEpisode[];
  /** What was left away or changed, and why. */
  readonly edits: readonly JsonObject[];
  /** Of each source the files that kept episodes were read from, with their SHA-256 at that time. */
  readonly sources: readonly SourceFiles[];
}

type SourceFiles = readonly (readonly [path: string, sha256: string | null])[];

export interface WrittenEpisode {
  /** Place of its source. */
  readonly source: number;
  readonly id: string;
  readonly rows: readonly [from: number, until: number] | null;
  /** SHA-256 of what each layer says of it that travels along; absent: nothing. */
  readonly annotations?: AnnotationHashes;
}

export interface ExportHooks {
  readonly signal: AbortSignal;
  /** Hears how many more episodes are written, counting parts of each; 0: it has come further with reading. */
  readonly onProgress: (episodes: number) => void;
  /** What annotation layers say of the episodes; absent: nothing is taken of them. */
  readonly annotations?: AnnotationSource;
}
