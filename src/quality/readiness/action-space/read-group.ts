import type { ActionGroup, ActionSpace, Representation } from '#core/api';
import { plain } from '../features/plain.ts';
import { addToFits, type ColumnFits, emptyFits, mergeFits } from './column-fits.ts';
import { type Partner, searchPartners, statedPartners } from './partners.ts';
import { type Reading, readFits } from './read-fits.ts';
import type { Column, Signals } from './signals.ts';
import { ValueFacts } from './value-facts.ts';

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

/** What a gripper's commands are by their values alone; null where these do not tell. */
interface FormReading {
  readonly representation: Representation;
  readonly confidence: number;
  /** Whether that is enough to overrule what the state says: few values leave little else. */
  readonly decides: boolean;
  readonly evidence: string;
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;
const form = (representation: Representation, decides: boolean, evidence: string): FormReading => ({
  representation,
  confidence: decides ? 0.7 : 0.5,
  decides,
  evidence,
});

/**
 * A command that stays at one of few values other than zero holds a position; one that is zero most of the time, with
 * pulses to both sides, says open and close, as in RT-1's data.
 */
function gripperForm(facts: ValueFacts): FormReading | null {
  const { levels, zero_share, held_share, minimum, maximum } = facts;
  if (facts.range === 0) return null;
  if (zero_share > 0.6 && minimum < 0 && maximum > 0)
    return form('step_delta', true, `zero in ${percent(zero_share)} of the rows, with pulses to both sides`);
  if (levels !== null && levels.length === 2)
    return form('absolute', true, `only the values ${levels.join(' and ')}, each held`);
  return held_share > 0.5 && zero_share < 0.95
    ? form('absolute', false, `keeps the value of the row before in ${percent(held_share)} of the rows`)
    : null;
}

/** Episodes in which partners are searched for by motion before anything is summed. */
const firstLook = 4;
/** Columns that move less than this share of the widest of their stream are noise around a pose. */
const leastMotion = 0.02;

/** One action column with everything that was seen of it. */
export interface PooledColumn {
  readonly column: Column;
  readonly space: ColumnSpace;
  readonly facts: ValueFacts;
  readonly partner: Partner | null;
  /** Of the partner's stream and name, where there is one. */
  readonly partner_column: Column | null;
  readonly partner_space: ColumnSpace | null;
  readonly fits: ColumnFits | null;
}

/** Sums over the episodes of one layout, one at a time; nothing of an episode is kept but the first few. */
export class LayoutPool {
  #waiting: Signals[] = [];
  #partners: (Partner | null)[] | null = null;
  #fits: (ColumnFits | null)[] = [];
  #votes = new Map<string, number>();
  readonly #facts: ValueFacts[];
  readonly #spaces: readonly ColumnSpace[];
  readonly #stateSpaces: readonly ColumnSpace[];
  readonly first: Signals;
  episodes = 0;

  constructor(first: Signals) {
    this.first = first;
    this.#facts = first.action.map(() => new ValueFacts());
    this.#spaces = spacesOf(first.action_columns, first.action);
    this.#stateSpaces = spacesOf(first.state_columns, first.state);
  }

  add(signals: Signals): void {
    this.episodes++;
    signals.action.forEach((values, index) => {
      this.#facts[index].add(values);
    });
    if (this.#partners !== null) {
      this.#sum(signals, this.#partners);
      return;
    }
    this.#waiting.push(signals);
    if (this.#waiting.length === firstLook) this.#begin();
  }

  /** Episodes that by themselves read so, over the columns that are no grippers. */
  votesFor(best: string): number {
    this.#begin();
    return this.#votes.get(best) ?? 0;
  }

  columns(): PooledColumn[] {
    const partners = this.#begin();
    return this.first.action_columns.map((column, index) => {
      const partner = partners[index];
      return {
        column,
        space: this.#spaces[index],
        facts: this.#facts[index],
        partner,
        partner_column: partner === null ? null : this.first.state_columns[partner.state],
        partner_space: partner === null ? null : this.#stateSpaces[partner.state],
        fits: this.#fits[index],
      };
    });
  }

  #begin(): (Partner | null)[] {
    if (this.#partners !== null) return this.#partners;
    const partners = searchPartners(this.#waiting, statedPartners(this.first));
    this.#partners = partners;
    this.#fits = partners.map((partner) => (partner === null ? null : emptyFits()));
    for (const signals of this.#waiting) this.#sum(signals, partners);
    this.#waiting = [];
    return partners;
  }

  #sum(signals: Signals, partners: readonly (Partner | null)[]): void {
    const own = partners.map((partner, action) => {
      if (partner === null) return null;
      const fits = emptyFits();
      addToFits(fits, signals, action, partner.state);
      return fits;
    });
    own.forEach((fits, index) => {
      if (fits !== null) mergeFits(this.#fits[index]!, fits);
    });
    const moving = movingFits(own.filter((_, index) => this.#spaces[index].space !== 'gripper'));
    if (moving.length === 0) return;
    const { best } = readFits(moving, signals.rate_hz);
    this.#votes.set(best, (this.#votes.get(best) ?? 0) + 1);
  }
}

/** Fits of columns in which both sides move, beside the widest of them. */
function movingFits(all: readonly (ColumnFits | null)[]): ColumnFits[] {
  const fits = all.filter((fit) => fit !== null);
  const widest = Math.max(0, ...fits.map((fit) => fit.level[0].deviations[0]));
  return fits.filter((fit) => {
    const [state, action] = fit.level[0].deviations;
    return state > leastMotion * widest && state > 1e-9 && action > 1e-12;
  });
}

interface ColumnSpace {
  readonly space: ActionSpace;
  readonly evidence: 'declared' | 'measured' | 'unknown';
  /** In words, for the answer. */
  readonly reason: string;
}

const hands = /grip|claw|jaw|pincher|suction|vacuum|finger|thumb|pinky|knuckle|hand(?!le)/i;
/** Body parts win over roll, pitch and yaw: a shoulder's pitch is a joint, a bare pitch an orientation. */
const joints =
  /joint|motor|servo|shoulder|elbow|forearm|wrist|waist|torso|neck|hip|knee|ankle|thigh|qpos|axis_?\d|^j_?\d+$|_j\d+$|^q_?\d+$|_(pan|lift|flex|bend)$|^(pan|lift|flex)$|leader|follower/i;
/** Limbs say joints unless what follows says a pose. */
const limbs = /(^|[_./\s])(left|right)?_?(arm|leg|body|head)s?([_./\s\d[]|$)/i;
const base =
  /^(v|w|vel|velocity)[_.]?(x|y|z|yaw|lin|ang)\w*$|linear|angular|cmd_vel|throttle|steer|brake|pedal|^(speed|gear)$/i;
const effector =
  /(^|[_./\s])(ee|eef|tcp|tool|cartesian|end_?effector|pose|position|translation|orientation|rotation|rot|quat|rpy|euler)([_./\s\d]|$)|^(d|delta_?)?(x|y|z|rx|ry|rz|qx|qy|qz|qw|roll|pitch|yaw)$|[_.](x|y|z|rx|ry|rz|qx|qy|qz|qw|roll|pitch|yaw)$/i;

/** The part of a name that tells: without what every column of a feature begins or ends with. */
function core(name: string): string {
  return name
    .replace(/^(observation|action|state|actions|states)[._/]+/i, '')
    .replace(/[._/](pos|position|rad|deg)$/i, '')
    .replace(/^k(?=[A-Z])/, '');
}

/** The space of every column by its name, its stream's name, and what its numbers must be. */
function spacesOf(columns: readonly Column[], values: readonly Float64Array[]): ColumnSpace[] {
  const spaces = columns.map(byName);
  for (const from of unitQuaternions(values)) {
    for (let d = from; d < from + 4; d++)
      if (spaces[d].space === 'unknown')
        spaces[d] = {
          space: 'end_effector',
          evidence: 'measured',
          reason: `${columns[d].stream}[${from}..${from + 3}] is a unit quaternion in every row`,
        };
  }
  return spaces;
}

function byName({ name, stream, gripper, unit }: Column): ColumnSpace {
  const told = (space: ActionSpace, reason: string): ColumnSpace => ({ space, evidence: 'declared', reason });
  if (gripper) return told('gripper', `${name ?? stream} is a gripper`);
  for (const text of name === null ? [stream] : [core(name), stream]) {
    const space = spaceOfText(text);
    if (space !== null) return told(space, `named ${text}`);
  }
  if (unit === 'm') return told('end_effector', `${stream} is in metres`);
  return { space: 'unknown', evidence: 'unknown', reason: 'neither names nor units say what it moves' };
}

function spaceOfText(text: string): ActionSpace | null {
  if (hands.test(text)) return 'gripper';
  if (joints.test(text)) return 'joint';
  if (base.test(text)) return 'base';
  if (effector.test(text)) return 'end_effector';
  return limbs.test(text) ? 'joint' : null;
}

const tolerance = 1e-3;

/** First columns of four that have length one in every row and that turn. */
function unitQuaternions(values: readonly Float64Array[]): number[] {
  const found: number[] = [];
  for (let d = 0; d + 4 <= values.length; d++) {
    const four = values.slice(d, d + 4);
    const rows = four[0].length;
    let turns = false;
    let unit = rows > 0;
    for (let i = 0; i < rows && unit; i++) {
      let square = 0;
      for (const column of four) {
        square += column[i] * column[i];
        if (Math.abs(column[i] - column[0]) > tolerance) turns = true;
      }
      unit = Math.abs(Math.sqrt(square) - 1) < tolerance;
    }
    if (!unit || !turns) continue;
    found.push(d);
    d += 3;
  }
  return found;
}
