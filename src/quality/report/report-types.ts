import type { Assessment, Receipt } from '#core/api';
import type { Check } from '#quality/readiness';
import type { EpisodeIssue } from './outputs/issues.ts';

/** A generated file of the report, as UTF-8 text; `path` is relative to the report's folder. */
export interface ReportFile {
  readonly path: string;
  readonly content: string;
}

/** A static file of the report, to be copied from `url` to `path`. */
export interface ReportAsset {
  readonly path: string;
  readonly url: URL;
}

/** Options of a report. */
export interface ReportOptions {
  /** Assessed path or title, as the user gave it. */
  readonly title: string;
  /** Checks, for their titles, formulas, thresholds and sources. */
  readonly checks: readonly CheckDescription[];
  /** Camera films next to the report; `null` or absent if there are none. */
  readonly films?: readonly ReportFilm[] | null;
}

/** Film (MP4 video) of a camera next to the report. */
export interface ReportFilm {
  /** Number of the episode in the report, from 0. */
  readonly number: number;
  readonly camera: string;
  /** Path relative to the report's `index.html`; `null` if there is no film. */
  readonly file: string | null;
  /** Time of its first frame in seconds since the episode's start. */
  readonly starts_s: number;
  /** Frames per second, for single steps; `null` if unknown. */
  readonly rate_hz: number | null;
  /**
   * Time in seconds at which the film was cut although the recording continues; `null` if the film is
   * complete.
   */
  readonly cut_s: number | null;
  /** Reason why there is no film; `null` if there is one. */
  readonly problem: string | null;
}

/** Part of a check that the report shows. */
export type CheckDescription = Pick<
  Check,
  'id' | 'title' | 'needs' | 'formula' | 'threshold' | 'weight' | 'flags'
>;

/** One episode rendered for the report; structured-cloneable, so it can be made in a worker. */
export interface RenderedEpisode {
  readonly row: EpisodeRow;
  /** JSON of receipt and sketch, without pictures. */
  readonly data: string;
  /** JSON of a list of pictures for each camera of the sketch; `null` if there are none. */
  readonly pictures: string | null;
  /** JSON of its annotations; absent if they were not requested or there are none. */
  readonly annotations?: string;
  /** Picture for the table, base64 JPEG; `null` if there is none. */
  readonly poster: string | null;
}

/** Row of the index page's table. */
export interface EpisodeRow {
  readonly id: string;
  readonly kind: string;
  readonly decision: Receipt['decision'];
  readonly score: number | null;
  readonly graded_fraction: number;
  readonly duration_s: number;
  readonly task: string | null;
  /** Distinct flags with their check and severity, in the receipt's order. */
  readonly flags: readonly (readonly [
    code: string,
    check: string,
    severity: 'blocking' | 'warning' | 'info',
  ])[];
  /** Flags and findings with their messages, without `info` findings. */
  readonly issues: readonly EpisodeIssue[];
  /** Score of each check, or its status without one. */
  readonly components: readonly (readonly [check: string, score: number | UnscoredStatus])[];
}

/** Statuses of a check without a score. */
export type UnscoredStatus = 'inapplicable' | 'not_assessable' | 'disabled';

/**
 * Collects episodes in the dataset's order and returns files as they fill, so that memory is bounded by one
 * data file and one row per episode.
 */
export interface ReportBuilder {
  /**
   * Adds an episode and returns the files that are complete. If `isPictured` is false, its pictures are
   * omitted.
   */
  add(episode: RenderedEpisode, isPictured?: boolean): ReportFile[];
  finish(dataset: Assessment['dataset']): ReportFile[];
}
