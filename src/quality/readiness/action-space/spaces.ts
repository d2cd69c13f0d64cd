import type { ActionSpace } from '#core/api';
import type { Column } from './signals.ts';

export interface ColumnSpace {
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
export function spacesOf(columns: readonly Column[], values: readonly Float64Array[]): ColumnSpace[] {
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
