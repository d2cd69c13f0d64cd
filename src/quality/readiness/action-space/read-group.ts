import type { ActionGroup, ActionSpace, Representation } from '#core/api';
import { roundFinite } from '../features/numeric.ts';
import { type PooledColumn, selectMovingFits, type ValueFacts } from './layout-pool.ts';
import { type Reading, readFits } from './read-fits.ts';

/** Minimum confidence for a representation; below, it is undetermined and only the leaning is given. */
const minConfidence = 0.4;

/**
 * Determines how the action columns of one space represent actions, from those that move; `undetermined` if none
 * does.
 */
export function readGroup(
  space: ActionSpace,
  columns: readonly PooledColumn[],
  rate_hz: number | null,
): ActionGroup {
  const fits = selectMovingFits(columns.map(({ fits }) => fits));
  const still = columns.filter(({ facts }) => facts.range === 0).length;
  const reading = fits.length === 0 ? null : readFits(fits, rate_hz);
  const base = {
    space,
    space_evidence: spaceEvidence(columns),
    dimensions: columns.map(({ column: { stream, dimension, name } }) => ({ stream, dimension, name })),
    scores: roundScores(reading),
    compared: fits.length,
    still,
    alone: columns.filter(({ partner, facts }) => partner === null && facts.range > 0).length,
  };
  const groupReading =
    reading === null
      ? createUndetermined(still === columns.length)
      : describeReading(reading, rate_hz, fits.length);
  return { ...base, ...(space === 'gripper' ? refineGripperReading(groupReading, columns) : groupReading) };
}

type GroupReading = Omit<
  ActionGroup,
  'space' | 'space_evidence' | 'dimensions' | 'scores' | 'compared' | 'still' | 'alone'
>;

function roundScores(reading: Reading | null): ActionGroup['scores'] {
  const { absolute = 0, step_delta = 0, chunk_relative = 0 } = reading?.scores ?? {};
  return {
    absolute: roundFinite(absolute, 3),
    step_delta: roundFinite(step_delta, 3),
    chunk_relative: roundFinite(chunk_relative, 3),
  };
}

function createUndetermined(nothingMoves: boolean): GroupReading {
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
    evidence: [nothingMoves ? 'none of these actions ever changes' : 'no moving state matches them'],
  };
}

function describeReading(reading: Reading, rate_hz: number | null, compared: number): GroupReading {
  const { best, confidence, chunk, gain } = reading;
  const isCertain = confidence >= minConfidence;
  const lag = chunk !== null && chunk.rows !== null ? null : reading.lag_rows;
  return {
    representation: isCertain ? best : 'undetermined',
    leaning: isCertain ? null : best,
    confidence: roundFinite(confidence, 2),
    lag_rows: lag,
    lag_ms: lag === null || rate_hz === null ? null : roundFinite((1000 * lag) / rate_hz, 3),
    gain: roundFinite(gain, 3),
    units: classifyUnits(gain, best === 'step_delta' ? rate_hz : null),
    relative_to: classifyReference(reading),
    chunk_rows: chunk?.rows ?? null,
    evidence: describeEvidence(reading, rate_hz, compared),
  };
}

/**
 * Classifies the unit of actions: `as_state` for a gain within a quarter of 1, `per_second` if one unit
 * changes the state by 1/rate, else `scaled`.
 */
function classifyUnits(gain: number, rate_hz: number | null): GroupReading['units'] {
  const isNear = (value: number): boolean => value > 0.8 && value < 1.25;
  if (isNear(gain)) return 'as_state';
  return rate_hz !== null && isNear(gain * rate_hz) ? 'per_second' : 'scaled';
}

const minStateNoise = 0.3;

function classifyReference({ best, chunk, against_state, is_change }: Reading): GroupReading['relative_to'] {
  if (best === 'absolute') return null;
  if (best === 'chunk_relative') return chunk?.rows == null ? 'start_of_episode' : 'start_of_chunk';
  return against_state > minStateNoise && !is_change ? 'measured_state' : null;
}

const formatPercent = (value: number): string => `${roundFinite(100 * value, 3)} %`;

function describeEvidence(reading: Reading, rate_hz: number | null, compared: number): string[] {
  const { scores, best, lag_rows, gain, span_rows, chunk, against_state, agreeing } = reading;
  const late = `${lag_rows} rows later${rate_hz === null ? '' : ` (${roundFinite((1000 * lag_rows) / rate_hz, 3)} ms)`}`;
  const lines = [
    `the state explains ${formatPercent(scores.absolute)} of the variance of the actions, its change per row explains ${formatPercent(scores.step_delta)}`,
  ];
  if (best === 'absolute')
    lines.push(`best match: the state ${late}, which moves by ${roundFinite(gain, 3)} per unit of action`);
  if (best === 'step_delta')
    lines.push(
      `best match: the sum over ${span_rows} rows with the change of the state ${late}, which is ${roundFinite(gain, 3)} per unit of action`,
    );
  if (classifyReference(reading) === 'measured_state')
    lines.push(
      `${formatPercent(against_state)} of its small-scale variation is the inverted variation of the state: it is relative to the measured state`,
    );
  if (chunk !== null && chunk.rows !== null)
    lines.push(
      `every ${chunk.rows} rows it jumps back by the distance since the last jump, which explains ${formatPercent(chunk.explained)} of the jumps, with a slope of ${roundFinite(chunk.slope, 3)}`,
    );
  if (chunk !== null && chunk.rows === null)
    lines.push(`the distance from the first state of the episode explains ${formatPercent(chunk.explained)}`);
  lines.push(`${formatPercent(agreeing)} of ${compared} dimensions agree when analysed individually`);
  return lines;
}

function refineGripperReading(groupFit: GroupReading, columns: readonly PooledColumn[]): GroupReading {
  const forms = columns.map(({ facts }) => readGripperValues(facts)).filter((form) => form !== null);
  const [first] = forms;
  if (first === undefined || forms.some((form) => form.representation !== first.representation))
    return groupFit;
  const { representation, leaning, confidence } = groupFit;
  if (representation === first.representation && confidence >= first.confidence)
    return { ...groupFit, evidence: [...groupFit.evidence, first.evidence] };
  const open = representation === 'undetermined' && leaning === null;
  if (!open && (!first.decides || confidence >= first.confidence)) return groupFit;
  return {
    ...groupFit,
    representation: first.representation,
    leaning: null,
    confidence: first.confidence,
    relative_to: null,
    chunk_rows: null,
    evidence: [...groupFit.evidence, `judging by its values: ${first.evidence}`],
  };
}

function spaceEvidence(columns: readonly PooledColumn[]): ActionGroup['space_evidence'] {
  const [{ space }] = columns;
  const reasons = [...new Set(columns.map((column) => column.space.reason))];
  const more = reasons.length > 3 ? ` and ${reasons.length - 3} more` : '';
  return { evidence: space.evidence, reason: `${reasons.slice(0, 3).join('; ')}${more}` };
}

/** Representation of a gripper's commands, judged by their values alone. */
interface GripperReading {
  readonly representation: Representation;
  readonly confidence: number;
  /** `true` if this overrules the comparison with the state, because only few values occur. */
  readonly decides: boolean;
  readonly evidence: string;
}

const formatWholePercent = (share: number): string => `${Math.round(100 * share)} %`;
const createGripperReading = (
  representation: Representation,
  decides: boolean,
  evidence: string,
): GripperReading => ({
  representation,
  confidence: decides ? 0.7 : 0.5,
  decides,
  evidence,
});

/**
 * Judges a gripper column by its values. A command that stays at one of few non-zero values is a position;
 * one that is mostly zero, with pulses to both sides, means open and close, as in RT-1's data. `null` if the
 * values do not show it.
 */
function readGripperValues(facts: ValueFacts): GripperReading | null {
  const { levels, zero_share, repeat_share: held_share, minimum, maximum } = facts;
  if (facts.range === 0) return null;
  if (zero_share > 0.6 && minimum < 0 && maximum > 0)
    return createGripperReading(
      'step_delta',
      true,
      `zero in ${formatWholePercent(zero_share)} of the rows, with positive and negative pulses`,
    );
  if (levels !== null && levels.length === 2)
    return createGripperReading(
      'absolute',
      true,
      `only the values ${levels.join(' and ')}, each repeated over many rows`,
    );
  return held_share > 0.5 && zero_share < 0.95
    ? createGripperReading(
        'absolute',
        false,
        `repeats the previous value in ${formatWholePercent(held_share)} of the rows`,
      )
    : null;
}
