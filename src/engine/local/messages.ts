import type { Recipe } from '#formats/recipes';
import type { Recordings } from '../recordings/open-recordings.ts';
import type { CompareTask, ComparisonResult } from '../steps/compare/conclude.ts';
import type { ExportCheck } from '../steps/export/check-export.ts';
import type { ExportedSet, ExportPlan, ExportSetTask } from '../steps/export/export-task.ts';
import type { FilmChoice, ReportFilm } from '../steps/films/write-films.ts';
import type { Inspection } from '../steps/inspect/inspect.ts';
import type { PackedVerdicts } from '../steps/judge/verdict-pack.ts';
import type { SeenDatasets } from '../steps/look/datasets.ts';
import type { JudgedUnit, JudgeTask, MeasuredUnit, Task } from '../steps/tasks.ts';

/** A judged unit on its way between threads. */
interface PackedUnit extends Omit<JudgedUnit, 'verdicts'> {
  readonly verdicts: PackedVerdicts;
}

/** What to look for datasets in. */
export interface LookTask {
  readonly path: Recordings;
  /** Steps that ended the threads which took them, and how: they are left out and reported. */
  readonly given_up: ReadonlyMap<string, string>;
  /** Folder that measurements are kept in; absent: none are. */
  readonly cache_folder?: string;
}

/** What to say of what lies there. */
export interface InspectTask extends LookTask {
  readonly recipe?: Recipe;
}

/** Where the sources of an export lie. */
interface SourcesTask extends Pick<LookTask, 'given_up'> {
  readonly paths: readonly Recordings[];
}

/** Which episodes leave, and as what. */
export interface ExportTask extends SourcesTask {
  readonly set: ExportSetTask;
}

/** Of which episodes films are made, and into what folder. */
export interface FilmsTask extends LookTask {
  readonly folder: string;
  readonly episodes: readonly FilmChoice[];
}

/** What is asked of an export, before anything is measured. */
export interface CheckExportTask extends SourcesTask {
  readonly check: ExportCheck;
}

/** What a worker of an assessment is asked; `look` finds the datasets that it is started with. */
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

export type AssessAnswer =
  | { readonly type: 'looked'; readonly seen: SeenDatasets }
  | { readonly type: 'inspected'; readonly inspection: Inspection }
  | { readonly type: 'export-checked' }
  | { readonly type: 'export-planned'; readonly plan: ExportPlan | null }
  | { readonly type: 'exported'; readonly set: ExportedSet }
  | { readonly type: 'filmed'; readonly films: readonly ReportFilm[] }
  | { readonly type: 'measured'; readonly unit: MeasuredUnit }
  | { readonly type: 'compared'; readonly result: ComparisonResult }
  | { readonly type: 'judged'; readonly unit: PackedUnit };

export type AssessEvent =
  /** Looking has listed the files, so many bytes in all. */
  | { readonly type: 'listed'; readonly bytes: number }
  /** A dataset is about to be opened. */
  | { readonly type: 'step'; readonly step: string }
  /** Something that is no fault of the recordings, and that the person may want to see to. */
  | { readonly type: 'warning'; readonly text: string }
  /** It has come further, also where both are 0. */
  | { readonly type: 'progress'; readonly episodes: number; readonly bytes: number };
