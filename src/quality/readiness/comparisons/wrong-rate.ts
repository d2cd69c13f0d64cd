import { significant } from '#core';
import type { Finding } from '#core/episode';
import { comparisonTitles } from '#core/titles';
import type { Subject } from '../check.ts';
import { type ComparisonRow, defineComparison } from '../comparison.ts';
import { computeMedian } from '../features/numeric.ts';

/**
 * Rates in Hz; `null` if unknown. Computed timestamps do not prove the capture rate, but show the rate they
 * were computed with.
 */
export type RateRow = {
  readonly declared: number | null;
  readonly clock: number | null;
  readonly camera: number | null;
};

/** Maximum |ln(measured / declared)|; drop-frame rates (29.97 for 30) and jitter stay within. */
const tolerance = 0.02;
/** Minimum number of episodes; in fewer the median may be the exception. */
const minEpisodes = 3;

export const wrongRate = defineComparison<RateRow>({
  id: 'wrong_rate',
  title: comparisonTitles.wrong_rate,
  about:
    'Compares the declared rate of the dataset with the median rate of its timestamps and of its video containers; a difference of more than 2 % is a dataset finding. If timestamps and videos agree with each other, single episodes are not flagged.',
  judged_by: ['timeline_integrity', 'camera_coverage'],
  collect(subject) {
    const row = {
      camera: readCameraRate(subject),
      clock: measureClockRate(subject),
      declared: readDeclaredRate(subject),
    };
    return row.declared === null && row.camera === null && row.clock === null ? null : row;
  },
  conclude(rows, facts) {
    const middle = (key: keyof RateRow) =>
      computeMedian(rows.map(({ row }) => row[key]).filter((rate) => rate !== null && rate > 0) as number[]);
    const declared = facts.declared_rate_hz ?? middle('declared');
    const clock = middle('clock');
    const cameraFinding = compareRates(
      declared,
      middle('camera'),
      'the video containers have',
      'error',
      rows.length,
    );
    const severity = facts.rate_is_contract === true ? 'blocking' : 'error';
    const clockFinding = compareRates(declared, clock, 'the timestamps have', severity, rows.length);
    return {
      findings: [cameraFinding, clockFinding].filter((finding) => finding !== null),
      notes: createNotes(rows, {
        clock: clockFinding === null ? null : clock,
        camera: cameraFinding === null ? null : middle('camera'),
      }),
    };
  },
});

type RateNote = { readonly rate_hz?: number; readonly camera_rate_hz?: number };

/**
 * Creates the notes on episodes of a dataset that declares a wrong rate, which is reported once for the
 * dataset. Cameras are included only if the clocks run at the rate of the videos: then a camera at the common
 * rate is not graded on the declared one.
 */
function createNotes(
  rows: readonly ComparisonRow<RateRow>[],
  { clock, camera }: { readonly clock: number | null; readonly camera: number | null },
): Map<string, RateNote> {
  const differ = (a: number | null, b: number | null) =>
    a !== null && b !== null && Math.abs(Math.log(a / b)) > tolerance;
  const clockNote = clock === null ? {} : { rate_hz: significant(clock) };
  const isOfSet = camera !== null && clock !== null && !differ(camera, clock) && rows.length >= minEpisodes;
  const notes = new Map<string, RateNote>();
  for (const { episode, row } of rows) {
    const runsSo = isOfSet && row.camera !== null && !differ(row.camera, camera);
    if (clock !== null)
      notes.set(episode, { ...clockNote, ...(runsSo ? { camera_rate_hz: significant(camera) } : {}) });
  }
  return notes;
}

function compareRates(
  declared: number,
  measured: number,
  what: string,
  severity: Finding['severity'],
  episodes: number,
): Finding | null {
  if (!(declared > 0 && measured > 0) || Math.abs(Math.log(measured / declared)) <= tolerance) return null;
  return {
    code: 'rate_mismatch',
    severity,
    path: null,
    message: `the dataset declares ${significant(declared)} Hz, but ${what} ${significant(measured)} Hz (median of ${episodes} episodes)`,
    advice:
      'Correct the declared rate, or rewrite the recordings with correct timestamps: velocities and seeking depend on it.',
    evidence: { declared_rate_hz: significant(declared), measured_rate_hz: significant(measured) },
  };
}

function readDeclaredRate({ episode }: Subject): number | null {
  for (const stream of episode.streams) {
    if (stream.declared_rate_hz !== null && (stream.role === 'state' || stream.role === 'action'))
      return stream.declared_rate_hz;
  }
  return null;
}

function measureClockRate({ episode, features }: Subject): number | null {
  for (const stream of episode.streams) {
    if ((stream.role !== 'state' && stream.role !== 'action') || stream.clock === null) continue;
    if (stream.declared_rate_hz === null) continue;
    const step_s = features.clock(stream)?.median_step_s ?? 0;
    if (step_s > 0) return 1 / step_s;
  }
  return null;
}

function readCameraRate({ cameras }: Subject): number | null {
  for (const evidence of cameras.values()) {
    const rate_hz = evidence.container?.rate_hz;
    if (rate_hz != null && rate_hz > 0) return rate_hz;
  }
  return null;
}
