import type { Assessment, Incomplete, SetVerdict } from '#core/api';
import type { Finding, Kind } from '#core/episode';
import type { DatasetFacts } from '#formats';
import type { BridgedRecording } from '#formats/recipes';
import type { LoadVerdict } from '#formats/rules';
import type { RenderedEpisode } from '#quality/report';
import type { EmbeddedEpisode } from '../steps/embed-episode.ts';
import type { EpisodeVerdict } from '../steps/judge/verdict.ts';
import type { StreamTotal } from '../steps/tasks.ts';

/** Number of episodes per decision. */
export interface Decisions {
  accept: number;
  review: number;
  reject: number;
}

/** Summary of one dataset. */
export interface DatasetSummary {
  /** Relative to the path assessed; `.` for the path itself. */
  readonly path: string;
  readonly facts: DatasetFacts;
  readonly evidence: readonly string[];
  /** Most frequent kind; `null` without episodes. */
  readonly kind: Kind | null;
  readonly kinds: Readonly<Partial<Record<Kind, number>>>;
  readonly episodes: number;
  readonly unreadable: number;
  readonly decisions: Decisions;
  /** Verdict on whether the chosen loaders can load it; `null` if no loader's rules are known. */
  readonly loads: LoadVerdict | null;
  /** Verdict on the dataset as a whole. */
  readonly usability: SetVerdict;
  /** Totals over all episodes, by stream id. */
  readonly streams: Readonly<Record<string, StreamTotal>>;
  /** Recordings that were cut into several episodes, and how those join. */
  readonly bridged: readonly BridgedRecording[];
  /** Findings of the dataset and of unreadable files. Paths are relative to the assessed path. */
  readonly findings: readonly Finding[];
}

/** An episode's description with its dataset's index. */
export interface EmbeddedIn extends EmbeddedEpisode {
  readonly dataset: number;
}

/** A finished assessment. Call `close` when its receipts are no longer needed. */
export interface AssessmentResult {
  readonly datasets: readonly DatasetSummary[];
  /** Findings of the listing: what was left out and why. */
  readonly findings: readonly Finding[];
  /** Verdicts in the order of datasets and episodes. */
  readonly verdicts: readonly EpisodeVerdict[];
  readonly decisions: Decisions;
  /** Settings of the evaluation. */
  readonly settings: Assessment['dataset']['settings'];
  readonly unreadable: number;
  /** Verdict on everything under the path. */
  readonly usability: SetVerdict;
  /**
   * Units and datasets that could not be measured here; receipts of these datasets are withheld. Paths are relative
   * to the assessed path.
   */
  readonly incomplete: readonly Incomplete[];
  /** Search descriptions, in order; empty unless requested. */
  readonly embedded: readonly EmbeddedIn[];
  /** Returns the canonical JSON of each receipt, in order; nothing unless requested. */
  receipts(): Iterable<string>;
  /** Returns the drawing data of each episode, in order; nothing unless requested. */
  rendered(): Iterable<RenderedEpisode>;
  /** Total size of the report's pictures, in characters. */
  readonly pictures: number;
  /** Returns the dataset part of the output of `assess --json`. */
  summary(): Assessment['dataset'];
  /** Frees temporary files and threads. */
  close(): Promise<void>;
}

/** Returns the dataset part of the output of `assess --json`. */
export function summarise(
  result: Pick<
    AssessmentResult,
    | 'datasets'
    | 'findings'
    | 'decisions'
    | 'settings'
    | 'unreadable'
    | 'usability'
    | 'incomplete'
    | 'verdicts'
  >,
): Assessment['dataset'] {
  const formats = new Set(result.datasets.map(({ facts }) => facts.format));
  const { accept, review, reject } = result.decisions;
  return {
    format: formats.size === 1 ? [...formats][0] : 'mixed',
    episodes: result.verdicts.length,
    unreadable: result.unreadable,
    settings: result.settings,
    decisions: { accept, review, reject },
    usability: result.usability,
    findings: [...result.findings, ...result.datasets.flatMap(({ findings }) => findings)],
    incomplete: [...result.incomplete],
    parts: result.datasets.map((dataset) => ({
      path: dataset.path,
      format: dataset.facts.format,
      evidence: [...dataset.evidence],
      kind: dataset.kind,
      episodes: dataset.episodes,
      loads: dataset.loads,
      usability: dataset.usability,
    })),
  };
}
