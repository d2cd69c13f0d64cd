import type { Decision } from '#core/api';
import type { CameraEvidence, Episode } from '#core/episode';
import {
  type ComparisonRows,
  collectRows,
  concludeComparisons,
  createEpisodeRecord,
  createFeatures,
  decisionBounds,
  deriveKind,
  judgeEpisode,
  measureEpisode,
  resolveSettings,
  type Subject,
} from '#quality/readiness';
import type { Base } from './bases.ts';

export interface BenchVerdict {
  /** 1 - the least score of any scored check: what detection is ranked by. */
  readonly suspicion: number;
  /** Codes that are up, worst first. */
  readonly flags: readonly string[];
  /** Their scores, in the same order. */
  readonly flagScores: readonly number[];
  readonly decision: Decision;
  /** Nothing failed: accepted, or sent to review for want of evidence alone. */
  readonly unaccused: boolean;
  /** Messages of the flags, for tuning. */
  readonly messages: readonly string[];
  readonly score: number | null;
}

export interface DatasetJudge {
  /** Verdicts of the episodes as they are, by episode id. */
  readonly clean: ReadonlyMap<string, BenchVerdict>;
  /** The verdict of one episode changed, among peers as they are. */
  judge(episode: Episode, cameras: ReadonlyMap<string, CameraEvidence>): BenchVerdict;
}

/** Judges as an assessment does: measure, compare within the dataset, judge with notes. */
export function judgeOf(base: Base): DatasetJudge {
  const settings = resolveSettings();
  const { facts } = base;
  const prepare = (episode: Episode, cameras: ReadonlyMap<string, CameraEvidence>) => {
    const { kind, evidence } = deriveKind(episode);
    const subject: Subject = { episode, kind, cameras, features: createFeatures(episode) };
    return {
      record: createEpisodeRecord(subject, evidence),
      measured: measureEpisode(subject),
      rows: collectRows(subject),
    };
  };
  const verdictOf = (
    { record, measured }: ReturnType<typeof prepare>,
    notes: Parameters<typeof judgeEpisode>[2],
  ): BenchVerdict => {
    const { checks, flags, decision, graded_fraction, score } = judgeEpisode(
      record,
      measured,
      notes,
      settings,
    );
    const scores = checks.map((check) => (check.status === 'scored' ? check.score : 1));
    const worstFirst = [...flags].sort((a, b) => a.score - b.score);
    return {
      suspicion: 1 - Math.min(1, ...scores),
      flags: worstFirst.map((flag) => flag.code),
      flagScores: worstFirst.map((flag) => flag.score),
      messages: flags.map((flag) => flag.message),
      decision,
      unaccused:
        decision === 'accept' ||
        (graded_fraction < decisionBounds.graded_fraction &&
          !flags.some(({ severity }) => severity !== 'info') &&
          (score ?? 0) >= decisionBounds.accept),
      score,
    };
  };
  const prepared = base.episodes.map((episode) =>
    prepare(episode, base.cameras.get(episode.id) ?? new Map()),
  );
  const table: { episode: string; rows: ComparisonRows }[] = prepared.map(({ rows }, i) => ({
    episode: base.episodes[i].id,
    rows,
  }));
  const compared = concludeComparisons(table, facts);
  const clean = new Map(
    base.episodes.map(({ id }, i) => [id, verdictOf(prepared[i], compared.getNotes(id))]),
  );
  return {
    clean,
    judge(episode, cameras) {
      const own = prepare(episode, cameras);
      const changed = table.map((entry) =>
        entry.episode === episode.id ? { ...entry, rows: own.rows } : entry,
      );
      return verdictOf(own, concludeComparisons(changed, facts).getNotes(episode.id));
    },
  };
}
