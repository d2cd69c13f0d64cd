import type { Assessment, Incomplete } from '#core/api';
import type { Finding, Kind } from '#core/episode';
import type { DatasetFacts } from '#formats';
import type { BridgedRecording } from '#formats/recipes';
import type { LoadVerdict } from '#formats/rules';
import type { RenderedEpisode } from '#quality/report';
import type { EmbeddedEpisode } from '../../steps/embed/embed-episode.ts';
import type { EpisodeVerdict } from '../../steps/judge/verdict.ts';
import type { StreamTotal } from '../../steps/tasks.ts';

export interface Decisions {
  accept: number;
  review: number;
  reject: number;
}

/** What was learnt of one dataset. */
export interface DatasetSummary {
  /** Relative to the path assessed; `.` for the path itself. */
  readonly path: string;
  readonly facts: DatasetFacts;
  readonly evidence: readonly string[];
  /** Of most of its episodes; null without episodes. */
  readonly kind: Kind | null;
  readonly kinds: Readonly<Partial<Record<Kind, number>>>;
  readonly episodes: number;
  readonly unreadable: number;
  readonly decisions: Decisions;
  /** Whether the format's own reader opens it; null where its rules are not known here. */
  readonly loads: LoadVerdict | null;
  /** By stream id: samples over all episodes. */
  readonly streams: Readonly<Record<string, StreamTotal>>;
  /** Recordings that became several episodes, and how those join. */
  readonly bridged: readonly BridgedRecording[];
  /** The dataset's own, and of what could not be read. Paths relative to the path assessed. */
  readonly findings: readonly Finding[];
}

/** An episode and the dataset it is of. */
export interface EmbeddedIn extends EmbeddedEpisode {
  readonly dataset: number;
}

/** A finished assessment. Close it when its receipts are not needed any more. */
export interface AssessmentResult {
  readonly datasets: readonly DatasetSummary[];
  /** Of listing the path: what was left out and why. */
  readonly findings: readonly Finding[];
  /** In the order of datasets and episodes. */
  readonly verdicts: readonly EpisodeVerdict[];
  readonly decisions: Decisions;
  /** What was judged under. */
  readonly settings: Assessment['dataset']['settings'];
  readonly unreadable: number;
  /** What could not be measured here; receipts of its datasets are not handed out. Paths relative to the path assessed. */
  readonly incomplete: readonly Incomplete[];
  /** What search finds episodes by, in order; none unless asked for. */
  readonly embedded: readonly EmbeddedIn[];
  /** Canonical JSON of each receipt, in order; none unless asked for. */
  receipts(): Iterable<string>;
  /** What the report draws, in order; none unless asked for. */
  rendered(): Iterable<RenderedEpisode>;
  /** Characters of all pictures that the report would draw. */
  readonly pictures: number;
  /** The dataset part of what `assess --json` prints. */
  summary(): Assessment['dataset'];
  close(): Promise<void>;
}

export function summarise(
  result: Pick<
    AssessmentResult,
    'datasets' | 'findings' | 'decisions' | 'settings' | 'unreadable' | 'incomplete' | 'verdicts'
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
    findings: [...result.findings, ...result.datasets.flatMap(({ findings }) => findings)],
    incomplete: [...result.incomplete],
    parts: result.datasets.map((dataset) => ({
      path: dataset.path,
      format: dataset.facts.format,
      evidence: [...dataset.evidence],
      kind: dataset.kind,
      episodes: dataset.episodes,
      loads: dataset.loads === null ? null : { ...dataset.loads, why: [...dataset.loads.why] },
    })),
  };
}
