import { type Random, seededRandom } from '#core';
import type { CurationEpisode } from '#quality/curation';

/** Skill of an operator: 2 good, 1 medium, 0 bad. */
type Skill = 0 | 1 | 2;

interface Habit {
  /** Share of the way to the target that a step goes, and how much that differs between steps. */
  readonly gain: number;
  /** Jitter of each action, and of the point that is aimed at, in workspace units. */
  readonly jitter: number;
  readonly aim: number;
  /** Chance per step to begin a pause, and to go off somewhere else for a while. */
  readonly pause: number;
  readonly stray: number;
}

const habits: Readonly<Record<Skill, Habit>> = {
  2: { gain: 0.25, jitter: 0.02, aim: 0.01, pause: 0.002, stray: 0 },
  1: { gain: 0.2, jitter: 0.06, aim: 0.03, pause: 0.02, stray: 0.006 },
  0: { gain: 0.16, jitter: 0.12, aim: 0.06, pause: 0.05, stray: 0.02 },
};

/** No two people are alike, nor are two days of one: habits differ by a factor between 0.7 and 1.4. */
function habitOf(skill: Skill, random: Random): Habit {
  const vary = (value: number): number => value * 2 ** random.between(-0.5, 0.5);
  const { gain, jitter, aim, pause, stray } = habits[skill];
  return { gain: vary(gain), jitter: vary(jitter), aim: vary(aim), pause: vary(pause), stray: vary(stray) };
}

type Point = [number, number, number];
const mostSteps = 400;
const sampledRows = 64;

/**
 * Pick and place as in robomimic's can task: go above the object, down, close, carry, open. The state is the
 * hand, the gripper and where object and goal lie from the hand; the action is a velocity and the gripper's command.
 */
function demonstration(skill: Skill, random: Random): { states: number[][]; actions: number[][] } {
  const habit = habitOf(skill, random);
  const hand: Point = [random.between(-0.1, 0.1), random.between(-0.1, 0.1), random.between(0.25, 0.35)];
  const object: Point = [random.between(-0.3, 0.3), random.between(-0.3, 0.3), 0];
  const goal: Point = [random.between(0.35, 0.45), random.between(-0.05, 0.05), 0.1];
  const above = (point: Point): Point => [point[0], point[1], point[2] + 0.2];
  const phases = [
    { to: above(object), closed: false },
    { to: object, closed: false },
    { to: object, closed: true },
    { to: above(object), closed: true },
    { to: above(goal), closed: true },
    { to: goal, closed: true },
    { to: goal, closed: false },
  ];
  const states: number[][] = [];
  const actions: number[][] = [];
  let gripper = 0;
  let pause = 0;
  let stray = 0;
  let strayed: Point = [0, 0, 0];
  for (let phase = 0; phase < phases.length && states.length < mostSteps; ) {
    const { to, closed } = phases[phase];
    if (pause === 0 && random.next() < habit.pause) pause = random.integer(5, 25);
    if (stray === 0 && random.next() < habit.stray) {
      stray = random.integer(8, 20);
      strayed = [random.between(-0.4, 0.4), random.between(-0.4, 0.4), random.between(0.05, 0.4)];
    }
    const target = stray > 0 ? strayed : to;
    const action = [0, 1, 2].map((axis) => {
      if (pause > 0) return 0.002 * random.normal();
      const wanted = target[axis] + habit.aim * random.normal() - hand[axis];
      return Math.max(-1, Math.min(1, (habit.gain * wanted) / 0.05 + habit.jitter * random.normal()));
    });
    const command = pause > 0 ? (gripper > 0.5 ? 1 : -1) : closed ? 1 : -1;
    const held = gripper > 0.8 && phase >= 3;
    states.push([
      ...hand,
      gripper,
      ...(held ? [0, 0, 0] : [0, 1, 2].map((axis) => object[axis] - hand[axis])),
      ...[0, 1, 2].map((axis) => goal[axis] - hand[axis]),
    ]);
    actions.push([...action, command]);
    for (const axis of [0, 1, 2]) hand[axis] += 0.05 * action[axis];
    gripper = Math.max(0, Math.min(1, gripper + 0.25 * command));
    if (pause > 0) pause--;
    else if (stray > 0) stray--;
    else if (
      Math.hypot(hand[0] - to[0], hand[1] - to[1], hand[2] - to[2]) < 0.03 + 2 * habit.aim &&
      (closed ? gripper > 0.9 : gripper < 0.1)
    )
      phase++;
  }
  return { states, actions };
}

/** A set of so many demonstrations of each skill, as curation sees them; ids start with the skill. */
export function operatorSet(seed: number, each: number): CurationEpisode[] {
  const random = seededRandom(seed);
  return ([2, 1, 0] as const).flatMap((skill) =>
    Array.from({ length: each }, (_, i): CurationEpisode => {
      const { states, actions } = demonstration(skill, random);
      const rows = Math.min(sampledRows, states.length);
      const picked = Array.from({ length: rows }, (_, k) =>
        Math.round((k * (states.length - 1)) / Math.max(1, rows - 1)),
      );
      return {
        id: `${skill}-${String(i).padStart(5, '0')}`,
        decision: 'accept',
        score: 0.9,
        flags: [],
        task: 'put the can into the bin',
        robot: 'generated arm',
        operator: ['bad', 'middling', 'good'][skill],
        outcome: 'success',
        duration_s: states.length / 20,
        sample: {
          layout: 'state[10] action[4]',
          state_dims: 10,
          action_dims: 4,
          rows,
          states: Float32Array.from(picked.flatMap((row) => states[row])),
          actions: Float32Array.from(picked.flatMap((row) => actions[row])),
        },
      };
    }),
  );
}
