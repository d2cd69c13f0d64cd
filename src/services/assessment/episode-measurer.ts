import type { CameraEvidence, Episode, Finding } from '#episode';
import type { Unreadable } from '#formats';
import { messageOf } from '#kernel';
import {
  collectRows,
  createFeatures,
  type DerivedKind,
  deriveKind,
  measureEpisode,
  recordOf,
  type Subject,
} from '#readiness';
import { sketchEpisode } from '#report';
import type { KeptEpisode } from './episode-judge.ts';
import type { Job } from './messages.ts';
import type { Spool } from './spool.ts';
import type { UnitTotals } from './unit-totals.ts';

/** First evidence of a kind that `--kind` set. */
export const kindSetByHand = 'set by hand';

/** Takes one episode after another: kind, features, every check's measurement, and what the report will draw. */
export class EpisodeMeasurer {
  readonly #job: Job;
  readonly #spool: Spool;
  readonly #unit: UnitTotals;

  constructor(job: Job, spool: Spool, unit: UnitTotals) {
    this.#job = job;
    this.#spool = spool;
    this.#unit = unit;
  }

  /** A check that fails over one episode costs that episode only: it becomes a finding. */
  take(episode: Episode, cameras: ReadonlyMap<string, CameraEvidence>): void {
    let line: string | null = null;
    try {
      line = this.#measure(episode, cameras);
    } catch (thrown) {
      this.#unit.unreadable(notMeasured(episode, thrown));
    }
    if (line !== null) this.#spool.append(line);
  }

  #measure(episode: Episode, cameras: ReadonlyMap<string, CameraEvidence>): string {
    const derived = deriveKind(episode);
    const subject: Subject = {
      episode,
      kind: this.#job.kind ?? derived.kind,
      cameras,
      features: createFeatures(episode),
    };
    const line = JSON.stringify({
      record: recordOf(subject, this.#kindEvidence(derived)),
      measured: measureEpisode(subject),
      sketch: this.#job.render ? sketchEpisode(episode, cameras, { codes: this.#job.sketch_codes }) : null,
    } satisfies KeptEpisode);
    this.#unit.episode(episode, subject.kind, collectRows(subject));
    return line;
  }

  #kindEvidence({ kind, evidence }: DerivedKind): readonly string[] {
    return this.#job.kind === null ? evidence : [`${kindSetByHand}; the streams say ${kind}`, ...evidence];
  }
}

function notMeasured(episode: Episode, thrown: unknown): Unreadable {
  const finding: Finding = {
    code: 'episode_not_measured',
    severity: 'error',
    path: episode.locator.path,
    message: `${episode.id} could not be measured: ${messageOf(thrown)}`,
    advice: 'look at the file named; if it is sound, report this as a fault of the program',
  };
  return { unreadable: true, id: episode.id, index: episode.index, finding };
}
