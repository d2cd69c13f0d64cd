import { type Random, seededRandom } from '#core';
import { anglesFor, jointNames, type Point, skeletonOf } from './arm.ts';
import { home, type TaskPlan, taskPlans } from './tasks.ts';

/** One demonstration as it happened, on a grid far finer than any recorder's. */
export interface Take {
  readonly plan: TaskPlan;
  readonly duration_s: number;
  /** Row-major, `dims` values every 1 / `simulation_hz` seconds: what the operator asked for, what the arm did. */
  readonly command: Float64Array;
  readonly pose: Float64Array;
  readonly object: (time_s: number) => Point;
}

export const simulation_hz = 300;
const dims = jointNames.length;
const gripper = dims - 1;
/** Transport and control delay, and the time constant of the servo. */
const follower = { delay_s: 0.014, constant_s: 0.03 } as const;

/** Demonstration number `index` of a seed: the same one whatever else is generated. */
export function recordTake(seed: number, index: number): Take {
  const random = seededRandom(seed * 7919 + index * 104729 + 13);
  const plan = taskPlans[index % taskPlans.length](random);
  const lead_s = random.between(0.25, 0.45);
  const duration_s = lead_s + plan.waypoints.reduce((sum, point) => sum + point.duration_s, 0) + 0.3;
  const steps = Math.round(duration_s * simulation_hz);
  const command = commandOf(plan, lead_s, steps, random);
  const pose = followed(command, steps, plan.object.width);
  return { plan, duration_s, command, pose, object: objectPath(plan, lead_s, pose, steps) };
}

/** Minimum-jerk between waypoints in space, plus the small slow unrest of a hand. */
function commandOf(plan: TaskPlan, lead_s: number, steps: number, random: Random): Float64Array {
  const out = new Float64Array(steps * dims);
  const unrest = Array.from({ length: dims }, () => ({
    slow: random.between(0.4, 1.1) * 2 * Math.PI,
    fast: random.between(2.5, 4.5) * 2 * Math.PI,
    phase: random.between(0, 6),
    size: random.between(0.12, 0.3),
  }));
  const stages = stagesOf(plan, lead_s);
  for (let step = 0, s = 0; step < steps; step++) {
    const time = step / simulation_hz;
    while (s + 1 < stages.length && time >= stages[s].until_s) s++;
    const { from, to, start_s, until_s } = stages[s];
    const u = Math.max(0, Math.min(1, (time - start_s) / (until_s - start_s)));
    const blend = u ** 3 * (10 - 15 * u + 6 * u ** 2);
    const mix = (a: number, b: number) => a + (b - a) * blend;
    const at: Point = [mix(from.at[0], to.at[0]), mix(from.at[1], to.at[1]), mix(from.at[2], to.at[2])];
    const [pan, lift, elbow, wrist] = anglesFor(at);
    const roll = mix(from.roll_deg, to.roll_deg);
    out.set([pan, lift, elbow, 0.15 * pan, wrist, roll, mix(from.gripper, to.gripper)], step * dims);
    for (let dim = 0; dim < gripper; dim++) {
      const { slow, fast, phase, size } = unrest[dim];
      out[step * dims + dim] +=
        size * (Math.sin(slow * time + phase) + 0.25 * Math.sin(fast * time + 2 * phase));
    }
  }
  return out;
}

interface Stage {
  readonly from: { readonly at: Point; readonly roll_deg: number; readonly gripper: number };
  readonly to: { readonly at: Point; readonly roll_deg: number; readonly gripper: number };
  readonly start_s: number;
  readonly until_s: number;
}

function stagesOf(plan: TaskPlan, lead_s: number): Stage[] {
  const stages: Stage[] = [];
  let from: Stage['from'] = { at: home, roll_deg: 0, gripper: 8 };
  let start_s = lead_s;
  for (const to of plan.waypoints) {
    stages.push({ from, to, start_s, until_s: start_s + to.duration_s });
    start_s += to.duration_s;
    from = to;
  }
  return stages;
}

/** The arm: delayed, low-passed, sagging a little at the shoulder, its gripper stopped by what it holds. */
function followed(command: Float64Array, steps: number, width: number): Float64Array {
  const out = new Float64Array(command.length);
  const delay = Math.round(follower.delay_s * simulation_hz);
  const gain = 1 / (1 + follower.constant_s * simulation_hz);
  const state = command.slice(0, dims);
  const holds = command[(steps - 1) * dims + gripper] < width;
  for (let step = 0; step < steps; step++) {
    const source = Math.max(0, step - delay) * dims;
    for (let dim = 0; dim < dims; dim++) state[dim] += gain * (command[source + dim] - state[dim]);
    out.set(state, step * dims);
    out[step * dims + 1] -= 0.35;
    const closing = holds && step > steps * 0.25 && step < steps * 0.85;
    if (closing && out[step * dims + gripper] < width && command[source + gripper] > 15) {
      out[step * dims + gripper] = width;
    }
  }
  return out;
}

/** The object stays until held, then keeps its place in the hand, and stays where it is let go. */
function objectPath(
  plan: TaskPlan,
  lead_s: number,
  pose: Float64Array,
  steps: number,
): (time_s: number) => Point {
  const stages = stagesOf(plan, lead_s);
  const held = plan.waypoints.findIndex((point) => point.object === 'held');
  const freed = plan.waypoints.findIndex((point) => point.object === 'free');
  const tip = (time_s: number): Point => {
    const step = Math.max(0, Math.min(steps - 1, Math.round(time_s * simulation_hz)));
    return skeletonOf(pose.subarray(step * dims, (step + 1) * dims))[4];
  };
  const from_s = stages[held].until_s;
  const to_s = stages[freed].until_s;
  const grip = tip(from_s);
  return (time_s) => {
    if (time_s <= from_s) return plan.object.at;
    const now = tip(Math.min(time_s, to_s));
    const moved = (axis: 0 | 1 | 2) => plan.object.at[axis] + now[axis] - grip[axis];
    return [moved(0), moved(1), Math.max(0.015, moved(2))];
  };
}

/**
 * The take as a recorder's encoders see it at `times`: quantised to 4,096 steps a turn, with a little noise on the
 * measured side. Row-major, `dims` values a sample.
 */
export function sampleTake(
  take: Take,
  times: Float64Array,
  random: Random,
): { state: Float32Array; action: Float32Array } {
  const state = new Float32Array(times.length * dims);
  const action = new Float32Array(times.length * dims);
  const tick = 360 / 4096;
  const last = take.pose.length / dims - 1;
  for (let row = 0; row < times.length; row++) {
    const place = Math.min(times[row] * simulation_hz, last);
    const low = Math.floor(place) * dims;
    const high = Math.min(Math.floor(place) + 1, last) * dims;
    const share = place - Math.floor(place);
    for (let dim = 0; dim < dims; dim++) {
      const measured = take.pose[low + dim] + (take.pose[high + dim] - take.pose[low + dim]) * share;
      const asked = take.command[low + dim] + (take.command[high + dim] - take.command[low + dim]) * share;
      state[row * dims + dim] = Math.round((measured + 0.04 * random.normal()) / tick) * tick;
      action[row * dims + dim] = Math.round(asked / tick) * tick;
    }
  }
  return { state, action };
}
