import type { Component, ReceiptFlag } from '#core/api';
import type { CheckId, ComparedNotes } from './check.ts';
import { checks } from './check-registry.ts';
import { withoutEchoes } from './comparing/echoes.ts';
import type { Comparison } from './comparison.ts';
import { comparisons } from './comparison-registry.ts';
import { engine } from './engine.ts';
import type { Measurements } from './measure-episode.ts';
import type { EpisodeRecord, ReceiptBody } from './receipt.ts';
import { decide, judgeCheck, type SeenFinding } from './scoring.ts';
import type { ResolvedSettings } from './settings.ts';

const notMeasured = { status: 'not_assessable', reason: 'was not measured' } as const;

/** What judging says of an episode: the part of its receipt that depends on settings and on other episodes. */
export type Judgement = Pick<
  ReceiptBody,
  'checks' | 'decision' | 'decision_reason' | 'flags' | 'graded_fraction' | 'score'
>;

/**
 * Judges what was measured of one episode. Pure, and needs no array of the recording: new settings judge again
 * without opening a file. `notes` is what the comparisons said of this episode, by comparison id; `findings` what its
 * reader said of it.
 */
export function judgeMeasurements(
  measurements: Measurements,
  notes: ComparedNotes,
  findings: readonly SeenFinding[],
  settings: ResolvedSettings,
): Judgement {
  const components: Component[] = [];
  const raised: ReceiptFlag[] = [];
  for (const check of checks) {
    const judged = judgeCheck(
      check,
      measurements[check.id] ?? notMeasured,
      notesFor(check.id, notes),
      settings.checks[check.id],
    );
    components.push(judged.component);
    for (const flag of judged.flags) raised.push(flag);
  }
  const flags = withoutEchoes(raised);
  return { checks: components, flags, ...decide(components, flags, findings) };
}

/** Puts an episode's receipt together: what is said of the episode itself, and how it was judged under the settings. */
export function receiptBody(
  record: EpisodeRecord,
  judgement: Judgement,
  { settings_hash }: ResolvedSettings,
): ReceiptBody {
  return {
    canonicalisation: 'RFC8785',
    checks: judgement.checks,
    decision: judgement.decision,
    decision_reason: judgement.decision_reason,
    engine,
    episode: record.episode,
    ...(record.facts === undefined ? {} : { facts: record.facts }),
    findings: record.findings,
    flags: judgement.flags,
    graded_fraction: judgement.graded_fraction,
    grippers: record.grippers,
    kind: record.kind,
    limits: record.limits,
    ...(record.pictures === undefined ? {} : { pictures: record.pictures }),
    schema: 'assay/receipt/v1',
    score: judgement.score,
    settings_hash,
    sources: record.sources,
    streams: record.streams,
  };
}

/** Judges one episode, see `judgeMeasurements`, and puts its receipt together. */
export function judgeEpisode(
  record: EpisodeRecord,
  measurements: Measurements,
  notes: ComparedNotes,
  settings: ResolvedSettings,
): ReceiptBody {
  return receiptBody(record, judgeMeasurements(measurements, notes, record.findings, settings), settings);
}

const comparisonsOf = new Map<CheckId, readonly Comparison[]>(
  checks.rows.map((check) => [check.id, comparisons.rows.filter((row) => row.judged_by.includes(check.id))]),
);

/** The notes that this check judges, or undefined when there are none. */
function notesFor(check: CheckId, notes: ComparedNotes): ComparedNotes | undefined {
  let own: Record<string, ComparedNotes[string]> | undefined;
  for (const comparison of comparisonsOf.get(check) ?? []) {
    const note = notes[comparison.id];
    if (note === undefined) continue;
    own ??= {};
    own[comparison.id] = note;
  }
  return own;
}
