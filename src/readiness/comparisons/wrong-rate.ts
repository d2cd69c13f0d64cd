import type { Finding } from '#episode';
import { significant } from '#kernel';
import type { Subject } from '../check.ts';
import { defineComparison } from '../comparison.ts';
import { medianOf } from '../robust.ts';

/** Rates in Hz. Stamps computed from a rate prove no capture, yet they show which rate that was. */
export type RateRow = {
  readonly declared: number | null;
  readonly clock: number | null;
  readonly camera: number | null;
};

/** Drop-frame rates (29.97 for 30) and jitter stay inside. */
const tolerance = 0.02;

export const wrongRate = defineComparison<RateRow>({
  id: 'wrong_rate',
  title: 'Wrong rate',
  about:
    'The declared rate of the dataset against the median rate of its clocks and of its video containers; more than 2 % apart is a fault of the dataset.',
  judged_by: [],
  collect(subject) {
    const row = { camera: cameraRate(subject), clock: clockRate(subject), declared: declaredRate(subject) };
    return row.declared === null && row.camera === null && row.clock === null ? null : row;
  },
  conclude(rows, facts) {
    const middle = (key: keyof RateRow) =>
      medianOf(rows.map(({ row }) => row[key]).filter((rate) => rate !== null && rate > 0) as number[]);
    const declared = facts.declared_rate_hz ?? middle('declared');
    const findings: Finding[] = [];
    compare(declared, middle('camera'), 'the video containers run', rows.length, findings);
    compare(declared, middle('clock'), 'the clocks run', rows.length, findings);
    return { findings, notes: new Map() };
  },
});

function compare(
  declared: number,
  measured: number,
  what: string,
  episodes: number,
  findings: Finding[],
): void {
  if (!(declared > 0 && measured > 0) || Math.abs(Math.log(measured / declared)) <= tolerance) return;
  findings.push({
    code: 'rate_mismatch',
    severity: 'error',
    path: null,
    message: `the dataset declares ${significant(declared)} Hz and ${what} at ${significant(measured)} Hz (median of ${episodes} episodes)`,
    advice:
      'Correct the declared rate, or write the recordings again with true stamps: speeds and seeking depend on it.',
    evidence: { declared_rate_hz: significant(declared), measured_rate_hz: significant(measured) },
  });
}

function declaredRate({ episode }: Subject): number | null {
  for (const stream of episode.streams) {
    if (stream.declared_rate_hz !== null && (stream.role === 'state' || stream.role === 'action'))
      return stream.declared_rate_hz;
  }
  return null;
}

function clockRate({ episode, features }: Subject): number | null {
  for (const stream of episode.streams) {
    if ((stream.role !== 'state' && stream.role !== 'action') || stream.clock === null) continue;
    if (stream.declared_rate_hz === null) continue;
    const step_s = features.clock(stream)?.median_step_s ?? 0;
    if (step_s > 0) return 1 / step_s;
  }
  return null;
}

function cameraRate({ cameras }: Subject): number | null {
  for (const evidence of cameras.values()) {
    const rate_hz = evidence.container?.rate_hz;
    if (rate_hz != null && rate_hz > 0) return rate_hz;
  }
  return null;
}
