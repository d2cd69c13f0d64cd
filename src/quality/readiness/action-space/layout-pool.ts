import type { ActionSpace } from '#core/api';
import { addToFits, type ColumnFits, createFits, mergeFits } from './column-fits.ts';
import { matchStatedPartners, type Partner, searchPartners } from './partners.ts';
import { readFits } from './read-fits.ts';
import type { Column, Signals } from './signals.ts';

/** Number of episodes in which partners are searched by motion before sums are computed. */
const partnerSearchEpisodes = 4;
/** Minimum motion of a column as a fraction of the widest; less is noise around a pose. */
const minMotionFraction = 0.02;

/** An action column with its pooled statistics. */
export interface PooledColumn {
  readonly column: Column;
  readonly space: ColumnSpace;
  readonly facts: ValueFacts;
  readonly partner: Partner | null;
  /** State column of the partner; `null` if there is none. */
  readonly partner_column: Column | null;
  readonly partner_space: ColumnSpace | null;
  readonly fits: ColumnFits | null;
}

/**
 * Pools the episodes of one layout, added one at a time. Only the first few episodes are stored, until their
 * partners are found.
 */
export class LayoutPool {
  #pending: Signals[] = [];
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
    this.#spaces = classifySpaces(first.action_columns, first.action);
    this.#stateSpaces = classifySpaces(first.state_columns, first.state);
  }

  /** Adds an episode of this layout. */
  add(signals: Signals): void {
    this.episodes++;
    signals.action.forEach((values, index) => {
      this.#facts[index].add(values);
    });
    if (this.#partners !== null) {
      this.#addFits(signals, this.#partners);
      return;
    }
    this.#pending.push(signals);
    if (this.#pending.length === partnerSearchEpisodes) this.#resolvePartners();
  }

  /** Returns the number of episodes whose own best representation is `best`, grippers excluded. */
  countVotes(best: string): number {
    this.#resolvePartners();
    return this.#votes.get(best) ?? 0;
  }

  /**
   * Returns every action column with its value statistics, its state column (`partner`) and their regression sums;
   * the last two are `null` without a partner.
   */
  columns(): PooledColumn[] {
    const partners = this.#resolvePartners();
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

  #resolvePartners(): (Partner | null)[] {
    if (this.#partners !== null) return this.#partners;
    const partners = searchPartners(this.#pending, matchStatedPartners(this.first));
    this.#partners = partners;
    this.#fits = partners.map((partner) => (partner === null ? null : createFits()));
    for (const signals of this.#pending) this.#addFits(signals, partners);
    this.#pending = [];
    return partners;
  }

  #addFits(signals: Signals, partners: readonly (Partner | null)[]): void {
    const episodeFits = partners.map((partner, action) => {
      if (partner === null) return null;
      const fits = createFits();
      addToFits(fits, signals, action, partner.state);
      return fits;
    });
    episodeFits.forEach((fits, index) => {
      if (fits !== null) mergeFits(this.#fits[index]!, fits);
    });
    const moving = selectMovingFits(
      episodeFits.filter((_, index) => this.#spaces[index].space !== 'gripper'),
    );
    if (moving.length === 0) return;
    const { best } = readFits(moving, signals.rate_hz);
    this.#votes.set(best, (this.#votes.get(best) ?? 0) + 1);
  }
}

/**
 * Returns the fits of columns whose action varies and whose state varies enough compared with the widest state; drops
 * the others and `null`.
 */
export function selectMovingFits(all: readonly (ColumnFits | null)[]): ColumnFits[] {
  const fits = all.filter((fit) => fit !== null);
  const widest = Math.max(0, ...fits.map((fit) => fit.level[0].deviations[0]));
  return fits.filter((fit) => {
    const [state, action] = fit.level[0].deviations;
    return state > minMotionFraction * widest && state > 1e-9 && action > 1e-12;
  });
}

interface ColumnSpace {
  readonly space: ActionSpace;
  readonly evidence: 'declared' | 'measured' | 'unknown';
  /** Reason in words, for the answer. */
  readonly reason: string;
}

const handPattern = /grip|claw|jaw|pincher|suction|vacuum|finger|thumb|pinky|knuckle|hand(?!le)/i;
/**
 * Names of joints. Body parts take precedence over roll, pitch and yaw: a shoulder's pitch is a joint, a bare
 * pitch an orientation.
 */
const jointPattern =
  /joint|motor|servo|shoulder|elbow|forearm|wrist|waist|torso|neck|hip|knee|ankle|thigh|qpos|axis_?\d|^j_?\d+$|_j\d+$|^q_?\d+$|_(pan|lift|flex|bend)$|^(pan|lift|flex)$|leader|follower/i;
/** Names of limbs, which mean joints unless a pose follows. */
const limbPattern = /(^|[_./\s])(left|right)?_?(arm|leg|body|head)s?([_./\s\d[]|$)/i;
const basePattern =
  /^(v|w|vel|velocity)[_.]?(x|y|z|yaw|lin|ang)\w*$|linear|angular|cmd_vel|throttle|steer|brake|pedal|^(speed|gear)$/i;
const effectorPattern =
  /(^|[_./\s])(ee|eef|tcp|tool|cartesian|end_?effector|pose|position|translation|orientation|rotation|rot|quat|rpy|euler)([_./\s\d]|$)|^(d|delta_?)?(x|y|z|rx|ry|rz|qx|qy|qz|qw|roll|pitch|yaw)$|[_.](x|y|z|rx|ry|rz|qx|qy|qz|qw|roll|pitch|yaw)$/i;

/** Removes prefixes and suffixes that all columns of a feature share. */
function stripCommonAffixes(name: string): string {
  return name
    .replace(/^(observation|action|state|actions|states)[._/]+/i, '')
    .replace(/[._/](pos|position|rad|deg)$/i, '')
    .replace(/^k(?=[A-Z])/, '');
}

/** Classifies the space of every column by its name, its stream's name, its unit, and by unit quaternions. */
function classifySpaces(columns: readonly Column[], values: readonly Float64Array[]): ColumnSpace[] {
  const spaces = columns.map(classifyByName);
  for (const from of findUnitQuaternions(values)) {
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

function classifyByName({ name, stream, gripper, unit }: Column): ColumnSpace {
  const declareSpace = (space: ActionSpace, reason: string): ColumnSpace => ({
    space,
    evidence: 'declared',
    reason,
  });
  if (gripper) return declareSpace('gripper', `${name ?? stream} is a gripper`);
  for (const text of name === null ? [stream] : [stripCommonAffixes(name), stream]) {
    const space = classifyText(text);
    if (space !== null) return declareSpace(space, `named ${text}`);
  }
  if (unit === 'm') return declareSpace('end_effector', `${stream} is in metres`);
  return { space: 'unknown', evidence: 'unknown', reason: 'neither names nor units show what it controls' };
}

function classifyText(text: string): ActionSpace | null {
  if (handPattern.test(text)) return 'gripper';
  if (jointPattern.test(text)) return 'joint';
  if (basePattern.test(text)) return 'base';
  if (effectorPattern.test(text)) return 'end_effector';
  return limbPattern.test(text) ? 'joint' : null;
}

const quaternionTolerance = 1e-3;

/** Returns the first of four consecutive columns that form a unit quaternion in every row and change. */
function findUnitQuaternions(values: readonly Float64Array[]): number[] {
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
        if (Math.abs(column[i] - column[0]) > quaternionTolerance) turns = true;
      }
      unit = Math.abs(Math.sqrt(square) - 1) < quaternionTolerance;
    }
    if (!unit || !turns) continue;
    found.push(d);
    d += 3;
  }
  return found;
}

/** Statistics of one column's values, over episodes. */
export class ValueFacts {
  #count = 0;
  #zeros = 0;
  #repeats = 0;
  minimum = Number.POSITIVE_INFINITY;
  maximum = Number.NEGATIVE_INFINITY;
  #sum = 0;
  #squares = 0;
  /** Distinct values, up to one more than `maxDistinct`; more is a scale, not a switch. */
  readonly #distinct = new Set<number>();

  /** Adds the values of one episode; `repeat_share` does not compare across episodes. */
  add(values: Float64Array): void {
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      this.#count++;
      this.#sum += value;
      this.#squares += value * value;
      if (value === 0) this.#zeros++;
      if (i > 0 && value === values[i - 1]) this.#repeats++;
      if (value < this.minimum) this.minimum = value;
      if (value > this.maximum) this.maximum = value;
      if (this.#distinct.size <= maxDistinct) this.#distinct.add(value);
    }
  }

  /** Fraction of values that are exactly 0; 0 without values. */
  get zero_share(): number {
    return this.#count === 0 ? 0 : this.#zeros / this.#count;
  }

  /** Fraction of rows that repeat the previous one. */
  get repeat_share(): number {
    return this.#count === 0 ? 0 : this.#repeats / this.#count;
  }

  /** Maximum minus minimum; 0 without values. */
  get range(): number {
    return this.#count === 0 ? 0 : this.maximum - this.minimum;
  }

  /** Standard deviation; 0 without values. */
  get deviation(): number {
    if (this.#count === 0) return 0;
    const mean = this.#sum / this.#count;
    return Math.sqrt(Math.max(0, this.#squares / this.#count - mean * mean));
  }

  /** Distinct values in ascending order if there are at most `maxDistinct`; else `null`. */
  get levels(): readonly number[] | null {
    return this.#distinct.size > maxDistinct ? null : [...this.#distinct].sort((x, y) => x - y);
  }
}

const maxDistinct = 4;
