import type { Component, ReceiptFlag } from '#core/api';
import type { Kind, Severity } from '#core/episode';
import type { Check, CheckId, CheckMeasurement, ComparisonNotes, Subject } from './check.ts';
import { checks } from './check-registry.ts';
import type { Comparison } from './comparison.ts';
import { comparisons } from './comparison-registry.ts';
import type { StreamSummary } from './missing-evidence.ts';
import { type EpisodeRecord, engine, type ReceiptBody } from './receipt.ts';
import { decide, type FindingSummary, judgeCheck, type ResolvedSettings } from './scoring.ts';

const notMeasured = { status: 'not_assessable', reason: 'not measured' } as const;

/** Evaluation of one episode: the part of its receipt that depends on settings and on other episodes. */
export type Judgement = Pick<
  ReceiptBody,
  'checks' | 'decision' | 'decision_reason' | 'flags' | 'graded_fraction' | 'score'
>;

/** Fields of an episode's record that its decision depends on. */
export interface EpisodeSummary {
  readonly findings: readonly FindingSummary[];
  /** Only those that no check evaluates are needed. */
  readonly streams: readonly StreamSummary[];
}

/**
 * Evaluates the measurements of one episode under the settings: a score and flags for each check, and the decision.
 * Pure and independent of the recording, so new settings re-evaluate without opening a file. `notes` are the
 * comparisons' notes on this episode, by comparison id; `findings` and `streams` are those of its reader. A check
 * without a measurement counts as not assessable. `severities`: severities by code for the loader that the dataset is
 * judged by; a flag that is not blocking there does not reject.
 */
export function judgeMeasurements(
  measurements: Measurements,
  notes: ComparisonNotes,
  { findings, streams }: EpisodeSummary,
  settings: ResolvedSettings,
  severities: Readonly<Record<string, Severity>> | null = null,
): Judgement {
  const components: Component[] = [];
  const raised: ReceiptFlag[] = [];
  for (const check of checks) {
    const judged = judgeCheck(
      check,
      measurements[check.id] ?? notMeasured,
      selectNotes(check.id, notes),
      settings.checks[check.id],
    );
    components.push(judged.component);
    for (const flag of judged.flags) raised.push(flag);
  }
  const flags = limitSeverities(removeEchoes(raised), severities);
  return { checks: components, flags, ...decide(components, flags, findings, streams) };
}

/** Lowers blocking flags whose code is not blocking in `severities`. */
function limitSeverities(
  flags: ReceiptFlag[],
  severities: Readonly<Record<string, Severity>> | null,
): ReceiptFlag[] {
  return severities === null ? flags : flags.map((flag) => limitSeverity(flag, severities[flag.code]));
}

/**
 * Returns a blocking flag as a warning (or info) if its severity for the loader, `limit`, is lower; other flags are
 * returned unchanged.
 */
export function limitSeverity(flag: ReceiptFlag, limit: Severity = 'blocking'): ReceiptFlag {
  if (flag.severity !== 'blocking' || limit === 'blocking') return flag;
  return { ...flag, severity: limit === 'info' ? 'info' : 'warning' };
}

/** Assembles the unsealed receipt of an episode from its record and its evaluation under the settings. */
export function receiptBody(
  record: EpisodeRecord,
  judgement: Judgement,
  { loaders, settings_hash }: ResolvedSettings,
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
    ...(loaders.length === 0 ? {} : { loaders: [...loaders] }),
    ...(record.pictures === undefined ? {} : { pictures: record.pictures }),
    schema: 'assay/receipt/v1',
    score: judgement.score,
    settings_hash,
    sources: record.sources,
    streams: record.streams,
  };
}

/** Evaluates one episode (see `judgeMeasurements`) and assembles its unsealed receipt. */
export function judgeEpisode(
  record: EpisodeRecord,
  measurements: Measurements,
  notes: ComparisonNotes,
  settings: ResolvedSettings,
): ReceiptBody {
  return receiptBody(record, judgeMeasurements(measurements, notes, record, settings), settings);
}

const comparisonsByCheck = new Map<CheckId, readonly Comparison[]>(
  checks.rows.map((check) => [check.id, comparisons.rows.filter((row) => row.judged_by.includes(check.id))]),
);

/** Selects the notes that a check grades; `undefined` if there are none. */
function selectNotes(check: CheckId, notes: ComparisonNotes): ComparisonNotes | undefined {
  let selected: Record<string, ComparisonNotes[string]> | undefined;
  for (const comparison of comparisonsByCheck.get(check) ?? []) {
    const note = notes[comparison.id];
    if (note === undefined) continue;
    selected ??= {};
    selected[comparison.id] = note;
  }
  return selected;
}

const echoTargets = new Map(
  checks.rows.flatMap(({ flags }) => flags.map((flag) => [flag.code, flag.echo_of])),
);

/**
 * Returns the flags without those whose check declares them an echo (`echo_of`) of a flag that is raised as well,
 * since both report the same cause.
 */
export function removeEchoes(flags: readonly ReceiptFlag[]): ReceiptFlag[] {
  const raised = new Set(flags.map(({ code }) => code));
  return flags.filter(({ code }) => {
    const exact = echoTargets.get(code);
    return exact === undefined || !raised.has(exact);
  });
}

/** Measurements of all checks on one episode: plain JSON, a few kilobytes, sufficient for evaluation. */
export type Measurements = Readonly<Partial<Record<CheckId, CheckMeasurement>>>;

/**
 * Runs `measure` of every registered check on one episode; checks that do not apply to its kind get `inapplicable`.
 * The episode's arrays are not needed afterwards.
 */
export function measureEpisode(subject: Subject): Measurements {
  const measurements: Partial<Record<CheckId, CheckMeasurement>> = {};
  for (const check of checks) measurements[check.id] = measureCheck(check, subject);
  return measurements;
}

function measureCheck(check: Check, subject: Subject): CheckMeasurement {
  if (!check.kinds.includes(subject.kind)) return inapplicableToKind(subject.kind);
  return check.measure(subject);
}

const inapplicableByKind = new Map<Kind, CheckMeasurement>();

function inapplicableToKind(kind: Kind): CheckMeasurement {
  let measured = inapplicableByKind.get(kind);
  if (measured === undefined) {
    measured = { status: 'inapplicable', reason: `does not apply to data of kind ${kind}` };
    inapplicableByKind.set(kind, measured);
  }
  return measured;
}
