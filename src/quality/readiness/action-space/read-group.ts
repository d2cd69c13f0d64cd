import type { ActionGroup, ActionSpace } from '#core/api';
import { plain } from '../features/plain.ts';
import { gripperForm } from './gripper-reading.ts';
import { movingFits, type PooledColumn } from './layout-pool.ts';
import { type Reading, readFits } from './read-fits.ts';

/** Below this nothing is said but where the numbers lean. */
const leastConfidence = 0.4;

/** Reads the columns of one space. */
export function readGroup(
  space: ActionSpace,
  columns: readonly PooledColumn[],
  rate_hz: number | null,
): ActionGroup {
  const fits = movingFits(columns.map(({ fits }) => fits));
  const still = columns.filter(({ facts }) => facts.range === 0).length;
  const reading = fits.length === 0 ? null : readFits(fits, rate_hz);
  const base = {
    space,
    space_evidence: spaceEvidence(columns),
    dimensions: columns.map(({ column: { stream, dimension, name } }) => ({ stream, dimension, name })),
    scores: scoresOf(reading),
    compared: fits.length,
    still,
    alone: columns.filter(({ partner, facts }) => partner === null && facts.range > 0).length,
  };
  const told = reading === null ? unread(still === columns.length) : toldBy(reading, rate_hz, fits.length);
  return { ...base, ...(space === 'gripper' ? byForm(told, columns) : told) };
}

type Told = Omit<
  ActionGroup,
  'space' | 'space_evidence' | 'dimensions' | 'scores' | 'compared' | 'still' | 'alone'
>;

function scoresOf(reading: Reading | null): ActionGroup['scores'] {
  const { absolute = 0, step_delta = 0, chunk_relative = 0 } = reading?.scores ?? {};
  return {
    absolute: plain(absolute, 3),
    step_delta: plain(step_delta, 3),
    chunk_relative: plain(chunk_relative, 3),
  };
}

function unread(nothingMoves: boolean): Told {
  return {
    representation: 'undetermined',
    leaning: null,
    confidence: 0,
    lag_rows: null,
    lag_ms: null,
    gain: null,
    units: null,
    relative_to: null,
    chunk_rows: null,
    evidence: [
      nothingMoves
        ? 'none of these actions ever changes'
        : 'no state that moves could be brought together with them',
    ],
  };
}

function toldBy(reading: Reading, rate_hz: number | null, compared: number): Told {
  const { best, confidence, chunk, gain } = reading;
  const sure = confidence >= leastConfidence;
  const lag = chunk !== null && chunk.rows !== null ? null : reading.lag_rows;
  return {
    representation: sure ? best : 'undetermined',
    leaning: sure ? null : best,
    confidence: plain(confidence, 2),
    lag_rows: lag,
    lag_ms: lag === null || rate_hz === null ? null : plain((1000 * lag) / rate_hz, 3),
    gain: plain(gain, 3),
    units: unitsOf(gain, best === 'step_delta' ? rate_hz : null),
    relative_to: relativeTo(reading),
    chunk_rows: chunk?.rows ?? null,
    evidence: evidenceOf(reading, rate_hz, compared),
  };
}

/** Within a quarter of one: the same unit. A change of state of 1/rate for one unit: that unit is per second. */
function unitsOf(gain: number, rate_hz: number | null): Told['units'] {
  const near = (value: number): boolean => value > 0.8 && value < 1.25;
  if (near(gain)) return 'as_state';
  return rate_hz !== null && near(gain * rate_hz) ? 'per_second' : 'scaled';
}

const measuredNoise = 0.3;

function relativeTo({ best, chunk, against_state, is_change }: Reading): Told['relative_to'] {
  if (best === 'absolute') return null;
  if (best === 'chunk_relative') return chunk?.rows == null ? 'start_of_episode' : 'start_of_chunk';
  return against_state > measuredNoise && !is_change ? 'measured_state' : null;
}

const share = (value: number): string => `${plain(100 * value, 3)} %`;

function evidenceOf(reading: Reading, rate_hz: number | null, compared: number): string[] {
  const { scores, best, lag_rows, gain, span_rows, chunk, against_state, agreeing } = reading;
  const late = `${lag_rows} rows later${rate_hz === null ? '' : ` (${plain((1000 * lag_rows) / rate_hz, 3)} ms)`}`;
  const lines = [
    `the level of the state explains ${share(scores.absolute)} of the actions’ variance, its change ${share(scores.step_delta)}`,
  ];
  if (best === 'absolute')
    lines.push(`best against the state ${late}, which moves ${plain(gain, 3)} for one unit of action`);
  if (best === 'step_delta')
    lines.push(
      `best summed over ${span_rows} rows against the state’s change ${late}, which is ${plain(gain, 3)} for one unit of action`,
    );
  if (relativeTo(reading) === 'measured_state')
    lines.push(
      `${share(against_state)} of its fine movement is the state’s own, turned round: it counts from what was measured`,
    );
  if (chunk !== null && chunk.rows !== null)
    lines.push(
      `every ${chunk.rows} rows it jumps back by the way since the last jump: that explains ${share(chunk.explained)} of the jumps, at a slope of ${plain(chunk.slope, 3)}`,
    );
  if (chunk !== null && chunk.rows === null)
    lines.push(`the way from the episode’s first state explains ${share(chunk.explained)}`);
  lines.push(`${share(agreeing)} of ${compared} dimensions say so by themselves`);
  return lines;
}

function byForm(told: Told, columns: readonly PooledColumn[]): Told {
  const forms = columns.map(({ facts }) => gripperForm(facts)).filter((form) => form !== null);
  const [first] = forms;
  if (first === undefined || forms.some((form) => form.representation !== first.representation)) return told;
  const { representation, leaning, confidence } = told;
  if (representation === first.representation && confidence >= first.confidence)
    return { ...told, evidence: [...told.evidence, first.evidence] };
  const open = representation === 'undetermined' && leaning === null;
  if (!open && (!first.decides || confidence >= first.confidence)) return told;
  return {
    ...told,
    representation: first.representation,
    leaning: null,
    confidence: first.confidence,
    relative_to: null,
    chunk_rows: null,
    evidence: [...told.evidence, `by its values: ${first.evidence}`],
  };
}

function spaceEvidence(columns: readonly PooledColumn[]): ActionGroup['space_evidence'] {
  const [{ space }] = columns;
  const reasons = [...new Set(columns.map((column) => column.space.reason))];
  const more = reasons.length > 3 ? ` and ${reasons.length - 3} more` : '';
  return { evidence: space.evidence, reason: `${reasons.slice(0, 3).join('; ')}${more}` };
}
