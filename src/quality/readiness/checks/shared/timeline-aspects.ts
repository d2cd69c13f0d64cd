import type { Aspect, Mark } from '../../check.ts';
import { ramp, roundFinite } from '../../features/numeric.ts';
import {
  type ClockFacts,
  computeRateError,
  jitterRamp,
  type RowFacts,
  rateRamp,
  type Spans,
  scoreCommonJumps,
  scoreCommonLeap,
  scoreLeaps,
} from './timeline-facts.ts';

/**
 * Grades the signs of missing rows in state and action by the lowest of three scores; its flag is `timeline_gap`, or
 * `rows_missing` if the score is 0.
 */
export function rowAspect(rows: RowFacts): Aspect {
  const { leaping, moving, common_leap, common_jumps, stream } = rows;
  const shared = scoreLeaps(rows);
  const common = scoreCommonLeap(rows);
  const jumps = scoreCommonJumps(rows);
  const score = Math.min(shared, common, jumps);
  const [observed, what] =
    score === shared && shared < common
      ? [
          roundFinite(leaping / moving),
          `state and action jump together at ${leaping} of ${moving} moving rows: rows seem`,
        ]
      : score === common
        ? [common_leap, 'many dimensions of state and action jump at the same row: a block of rows seems']
        : [common_jumps, `state and action jump together at ${common_jumps} rows: rows seem`];
  return {
    flag: score > 0 ? 'timeline_gap' : 'rows_missing',
    score,
    observed,
    message: () => `${what} to be missing, and timestamps were computed afterwards`,
    marks: createMarks(stream, rows.leaps_s),
  };
}

/** Minimum fraction of lost samples at which the episode is unfit, not merely interrupted. */
const minUnfitShare = 0.15;

/**
 * Appends one aspect to `aspects` for each defect of one stream's timestamps; its rate is compared with
 * `rateOfSet_hz`, else with the declared one. `rateOfSet_hz` is the rate that the whole dataset runs at without
 * declaring it (a finding of the dataset), else `null`.
 */
export function addClockAspects(facts: ClockFacts, rateOfSet_hz: number | null, aspects: Aspect[]): void {
  const { stream, samples, non_finite, reversals, duplicates, jitter } = facts;
  const broken = (count: number): number => 0.25 * (1 - Math.min(1, (20 * count) / samples));
  const add = (flag: string, score: number, observed: number, message: () => string, spans: Spans): void => {
    aspects.push({ flag, score, observed, message, marks: createMarks(stream, spans) });
  };
  if (non_finite > 0)
    add(
      'timestamps_not_finite',
      broken(non_finite),
      non_finite,
      () => `${stream}: ${non_finite} of ${samples} timestamps are not finite`,
      [],
    );
  if (reversals > 0)
    add(
      'timestamps_not_monotonic',
      broken(reversals),
      reversals,
      () => `${stream}: timestamps go backwards ${formatTimes(reversals)} in ${samples} samples`,
      facts.reversed_s,
    );
  if (duplicates > 0)
    add(
      'timestamps_duplicated',
      ramp(duplicates / samples, 0, 0.003),
      roundFinite(duplicates / samples),
      () => `${stream}: ${duplicates} of ${samples} samples repeat the previous timestamp`,
      facts.duplicated_s,
    );
  if (facts.missing > 0) aspects.push(holeAspect(facts));
  const spread = facts.synthesised ? 1 : ramp(jitter, ...jitterRamp);
  if (spread < 1)
    add(
      'clock_jitter',
      spread,
      jitter,
      () => `${stream}: 5 % of the sample intervals differ from the median by ${formatShare(jitter)} or more`,
      [],
    );
  const error = computeRateError(facts.rate_hz, rateOfSet_hz ?? facts.declared_rate_hz);
  if (error > rateRamp[0])
    add(
      'rate_mismatch',
      ramp(error, ...rateRamp),
      facts.rate_hz,
      () =>
        rateOfSet_hz === null
          ? `${stream}: sampled at ${facts.rate_hz} Hz, declared as ${facts.declared_rate_hz} Hz`
          : `${stream}: sampled at ${facts.rate_hz} Hz, other episodes at ${rateOfSet_hz} Hz`,
      [],
    );
}

function holeAspect({ stream, samples, missing, longest_hole_s, rate_hz, holes_s }: ClockFacts): Aspect {
  const share = missing / (samples + missing);
  const longest = Math.min(longest_hole_s / 0.5, (longest_hole_s * rate_hz) / 8);
  return {
    flag: share >= minUnfitShare ? 'rows_missing' : 'timeline_gap',
    score: Math.min(ramp(share, 0.005, 0.05), ramp(longest, 0.5, 1.5)),
    observed: roundFinite(share),
    message: () =>
      `${stream}: about ${Math.round(missing)} of ${samples + Math.round(missing)} samples are missing (${formatShare(share)}), longest gap ${roundFinite(longest_hole_s, 3)} s`,
    marks: createMarks(stream, holes_s),
  };
}

function createMarks(stream: string, spans: Spans): Mark[] {
  return spans.map(([from_s, to_s]) => ({ stream, from_s, to_s }));
}

const formatTimes = (count: number): string => (count === 1 ? 'once' : `${count} times`);
const formatShare = (share: number): string => `${roundFinite(100 * share, 2)} %`;
