import type { Assessment, Receipt } from '#core/api';
import type { Check } from '#quality/readiness';
import type { Said } from './outputs/issue-tally.ts';

/** A file of the report for the writer to put under the report's folder, as UTF-8. */
export interface ReportFile {
  readonly path: string;
  readonly content: string;
}

/** A file of the report that is the same in every report: copied from `url` to `path`. */
export interface ReportAsset {
  readonly path: string;
  readonly url: URL;
}

export interface ReportOptions {
  /** What was assessed, as the person named it. */
  readonly title: string;
  /** For titles, formulas, thresholds and the sources of these. */
  readonly checks: readonly CheckDescription[];
  /** Of cameras, beside the report; null or absent: it carries none. */
  readonly films?: readonly ReportFilm[] | null;
}

/** A camera's film beside the report. */
export interface ReportFilm {
  /** Of the episode in the report, from 0. */
  readonly number: number;
  readonly camera: string;
  /** Relative to the report's `index.html`; null: there is none. */
  readonly file: string | null;
  /** When its first frame was taken, seconds since the start of the episode. */
  readonly starts_s: number;
  /** Frames a second, for steps from one to the next; null: not told. */
  readonly rate_hz: number | null;
  /** The recording goes on after so many seconds since its start; null: the film is whole. */
  readonly cut_s: number | null;
  /** Why there is none; null: there is. */
  readonly problem: string | null;
}

export type CheckDescription = Pick<
  Check,
  'id' | 'title' | 'needs' | 'formula' | 'threshold' | 'weight' | 'flags'
>;

/** One episode ready for the report: structured-cloneable, made in a worker or beside the builder. */
export interface RenderedEpisode {
  readonly row: EpisodeRow;
  /** JSON of receipt and sketch, without pictures. */
  readonly data: string;
  /** JSON of a list of pictures for each camera of the sketch; null where there are none. */
  readonly pictures: string | null;
  /** JSON of what annotation layers say of it; absent where nobody asked for that, or they say nothing. */
  readonly annotations?: string;
  /** One picture for the table, base64 JPEG. */
  readonly poster: string | null;
}

/** What the index page's table knows of an episode. */
export interface EpisodeRow {
  readonly id: string;
  readonly kind: string;
  readonly decision: Receipt['decision'];
  readonly score: number | null;
  readonly graded_fraction: number;
  readonly duration_s: number;
  readonly task: string | null;
  /** Flag codes with their check, in the receipt's order, each once. */
  readonly flags: readonly (readonly [
    code: string,
    check: string,
    severity: 'blocking' | 'warning' | 'info',
  ])[];
  /** Its flags and findings in words, remarks left out. */
  readonly said: readonly Said[];
  /** By check id: the component's score, or why there is none. */
  readonly components: readonly (readonly [check: string, score: number | UnscoredStatus])[];
}

export type UnscoredStatus = 'inapplicable' | 'not_assessable' | 'disabled';

/**
 * Collects episodes in the dataset's order and hands out files as they fill, so that memory stays bounded by one data
 * file and a row an episode.
 */
export interface ReportBuilder {
  /** `isPictured` false: its pictures are left out. */
  add(episode: RenderedEpisode, isPictured?: boolean): ReportFile[];
  finish(dataset: Assessment['dataset']): ReportFile[];
}
