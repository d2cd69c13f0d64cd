import type { Recipe } from '#formats/recipes';
import type { Recordings } from '../open-recordings.ts';
import type { FilmChoice, ReportFilm } from '../steps/camera-films.ts';
import type { CompareTask, ComparisonResult } from '../steps/comparer.ts';
import type { ExportCheck } from '../steps/export/check-export.ts';
import type { ExportedSet, ExportPlan, ExportSetTask } from '../steps/export/export-request.ts';
import type { DatasetInfos } from '../steps/find-datasets.ts';
import type { Inspection } from '../steps/inspect.ts';
import type { PackedVerdicts } from '../steps/judge/verdict.ts';
import type { JudgedUnit, JudgeTask, MeasuredUnit, Task } from '../steps/tasks.ts';

/** A judged unit with packed verdicts. */
interface PackedUnit extends Omit<JudgedUnit, 'verdicts'> {
  readonly verdicts: PackedVerdicts;
}

/** Path to find datasets in. */
export interface LookTask {
  readonly path: Recordings;
  /** Steps that crashed earlier threads, with the reason; they are skipped and reported. */
  readonly given_up: ReadonlyMap<string, string>;
  /** Folder of the measurement cache; absent: no cache. */
  readonly cache_folder?: string;
}

/** Request to describe datasets. */
export interface InspectTask extends LookTask {
  readonly recipe?: Recipe;
}

/** Paths of an export's sources. */
interface SourcesTask extends Pick<LookTask, 'given_up'> {
  readonly paths: readonly Recordings[];
}

/** Export to write. */
export interface ExportTask extends SourcesTask {
  readonly set: ExportSetTask;
}

/** Episodes to film, and the output folder. */
export interface FilmsTask extends LookTask {
  readonly folder: string;
  readonly episodes: readonly FilmChoice[];
}

/** Export to check before anything is measured. */
export interface CheckExportTask extends SourcesTask {
  readonly check: ExportCheck;
}

/** Requests to a worker of an assessment. `look` finds the datasets for `start`. */
export type AssessRequest =
  | { readonly type: 'look'; readonly task: LookTask }
  | { readonly type: 'inspect'; readonly task: InspectTask }
  | { readonly type: 'check-export'; readonly task: CheckExportTask }
  | { readonly type: 'plan-export'; readonly task: ExportTask }
  | { readonly type: 'export'; readonly task: ExportTask }
  | { readonly type: 'films'; readonly task: FilmsTask }
  | { readonly type: 'measure'; readonly task: Task }
  | { readonly type: 'compare'; readonly task: CompareTask }
  | { readonly type: 'judge'; readonly task: JudgeTask };

/** Answers of a worker. */
export type AssessAnswer =
  | { readonly type: 'looked'; readonly seen: DatasetInfos }
  | { readonly type: 'inspected'; readonly inspection: Inspection }
  | { readonly type: 'export-checked' }
  | { readonly type: 'export-planned'; readonly plan: ExportPlan | null }
  | { readonly type: 'exported'; readonly set: ExportedSet }
  | { readonly type: 'filmed'; readonly films: readonly ReportFilm[] }
  | { readonly type: 'measured'; readonly unit: MeasuredUnit }
  | { readonly type: 'compared'; readonly result: ComparisonResult }
  | { readonly type: 'judged'; readonly unit: PackedUnit };

/** Events that a worker sends during a request. */
export type AssessEvent =
  /** The files are listed; total size in bytes. */
  | { readonly type: 'listed'; readonly bytes: number }
  /** A dataset is about to be opened. */
  | { readonly type: 'step'; readonly step: string }
  /** A warning that does not concern the recordings. */
  | { readonly type: 'warning'; readonly text: string }
  /** Progress; both counts may be 0. */
  | { readonly type: 'progress'; readonly episodes: number; readonly bytes: number };
