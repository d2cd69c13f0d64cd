import { type Random, seededRandom } from '#core';
import { computeSkeleton, jointNames, type Point, solveAngles } from './arm.ts';

/** One simulated demonstration, on a much finer time grid than any recorder's. */
export interface Take {
  readonly plan: TaskPlan;
  readonly duration_s: number;
  /** Commanded joint values, row-major, `dims` values every 1 / `simulation_hz` seconds. */
  readonly command: Float64Array;
  /** Joint values that the arm reached, laid out like `command`. */
  readonly pose: Float64Array;
  readonly object: (time_s: number) => Point;
}

export const simulation_hz = 300;
const dims = jointNames.length;
const gripper = dims - 1;
/** Transport and control delay, and the time constant of the servo, in s. */
const follower = { delay_s: 0.014, constant_s: 0.03 } as const;

/** Simulates demonstration `index` of a seed, independent of all others. */
export function recordTake(seed: number, index: number): Take {
  const random = seededRandom(seed * 7919 + index * 104729 + 13);
  const plan = taskPlans[index % taskPlans.length](random);
  const lead_s = random.between(0.25, 0.45);
  const duration_s = lead_s + plan.waypoints.reduce((sum, point) => sum + point.duration_s, 0) + 0.3;
  const steps = Math.round(duration_s * simulation_hz);
  const command = simulateCommand(plan, lead_s, steps, random);
  const pose = simulateFollower(command, steps, plan.object.width);
  return { plan, duration_s, command, pose, object: objectPath(plan, lead_s, pose, steps) };
}

/** Simulates the operator's commands: minimum-jerk motion between waypoints, plus slow hand tremor. */
function simulateCommand(plan: TaskPlan, lead_s: number, steps: number, random: Random): Float64Array {
  const out = new Float64Array(steps * dims);
  const unrest = Array.from({ length: dims }, () => ({
    slow: random.between(0.4, 1.1) * 2 * Math.PI,
    fast: random.between(2.5, 4.5) * 2 * Math.PI,
    phase: random.between(0, 6),
    size: random.between(0.12, 0.3),
  }));
  const stages = planStages(plan, lead_s);
  for (let step = 0, s = 0; step < steps; step++) {
    const time = step / simulation_hz;
    while (s + 1 < stages.length && time >= stages[s].until_s) s++;
    const { from, to, start_s, until_s } = stages[s];
    const u = Math.max(0, Math.min(1, (time - start_s) / (until_s - start_s)));
    const blend = u ** 3 * (10 - 15 * u + 6 * u ** 2);
    const mix = (a: number, b: number) => a + (b - a) * blend;
    const at: Point = [mix(from.at[0], to.at[0]), mix(from.at[1], to.at[1]), mix(from.at[2], to.at[2])];
    const [pan, lift, elbow, wrist] = solveAngles(at);
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

function planStages(plan: TaskPlan, lead_s: number): Stage[] {
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

/**
 * Simulates the arm that follows the commands: delayed, low-passed, sagging at the shoulder, its gripper stopped by the
 * object.
 */
function simulateFollower(command: Float64Array, steps: number, width: number): Float64Array {
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

/**
 * Returns the object's position over time: at rest until grasped, then moving with the tool, then at rest where it is
 * released.
 */
function objectPath(
  plan: TaskPlan,
  lead_s: number,
  pose: Float64Array,
  steps: number,
): (time_s: number) => Point {
  const stages = planStages(plan, lead_s);
  const graspIndex = plan.waypoints.findIndex((point) => point.object === 'held');
  const freed = plan.waypoints.findIndex((point) => point.object === 'free');
  const tip = (time_s: number): Point => {
    const step = Math.max(0, Math.min(steps - 1, Math.round(time_s * simulation_hz)));
    return computeSkeleton(pose.subarray(step * dims, (step + 1) * dims))[4];
  };
  const from_s = stages[graspIndex].until_s;
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
 * Samples a take at `times` in s as encoders read it: quantised to 4,096 steps a turn, with noise on the measured side.
 * Row-major, `dims` values a sample.
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
      const commanded =
        take.command[low + dim] + (take.command[high + dim] - take.command[low + dim]) * share;
      state[row * dims + dim] = Math.round((measured + 0.04 * random.normal()) / tick) * tick;
      action[row * dims + dim] = Math.round(commanded / tick) * tick;
    }
  }
  return { state, action };
}

/** Target position of the tool, gripper opening (0 to 100), and the time to get there. */
interface Waypoint {
  readonly at: Point;
  readonly roll_deg: number;
  readonly gripper: number;
  readonly duration_s: number;
  /** Grasps (`held`) or releases (`free`) the object at the end of this waypoint. */
  readonly object?: 'held' | 'free';
}

interface TaskPlan {
  readonly text: string;
  readonly object: { readonly at: Point; readonly colour: 'red' | 'blue' | 'yellow'; readonly width: number };
  readonly waypoints: readonly Waypoint[];
}

const home: Point = [0.2, 0, 0.24];

/** Plans of the tasks; positions and paces vary with `random`. */
const taskPlans: readonly ((random: Random) => TaskPlan)[] = [pickAndPlace, pushAside, wipe];

function pickAndPlace(random: Random): TaskPlan {
  const from: Point = [random.between(0.22, 0.3), random.between(-0.14, -0.06), 0.02];
  const to: Point = [random.between(0.24, 0.28), random.between(0.12, 0.15), 0.07];
  const roll = random.between(-40, 40);
  const pace = random.between(0.74, 0.96);
  const step = (at: Point, gripper: number, duration_s: number, object?: 'held' | 'free'): Waypoint => ({
    at,
    roll_deg: roll,
    gripper,
    duration_s: duration_s * pace,
    ...(object === undefined ? {} : { object }),
  });
  return {
    text: 'Pick up the red cube and put it into the bowl',
    object: { at: from, colour: 'red', width: 34 },
    waypoints: [
      step(above(from, 0.12), 90, 1.1),
      step(from, 90, 0.7),
      step(from, 22, 0.45, 'held'),
      step(above(from, 0.13), 22, 0.6),
      step(above(to, 0.08), 22, 0.9),
      step(to, 22, 0.4),
      step(to, 85, 0.35, 'free'),
      step(above(to, 0.1), 60, 0.5),
      step(home, 8, 0.8),
    ],
  };
}

function pushAside(random: Random): TaskPlan {
  const from: Point = [random.between(0.23, 0.29), random.between(0.0, 0.05), 0.02];
  const behind: Point = [from[0], from[1] + 0.05, 0.02];
  const edge: Point = [from[0] + random.between(-0.02, 0.02), from[1] - random.between(0.17, 0.2), 0.02];
  const pace = random.between(0.74, 0.96);
  const step = (at: Point, duration_s: number, object?: 'held' | 'free'): Waypoint => ({
    at,
    roll_deg: 90,
    gripper: 4,
    duration_s: duration_s * pace,
    ...(object === undefined ? {} : { object }),
  });
  return {
    text: 'Push the blue block to the right edge of the table',
    object: { at: from, colour: 'blue', width: 30 },
    waypoints: [
      { ...step(home, 0.35), gripper: 45 },
      step(above(behind, 0.1), 1.0),
      step(behind, 0.6),
      step([behind[0], behind[1] - 0.02, 0.02], 0.35, 'held'),
      step(edge, 1.6, 'free'),
      step(above(edge, 0.12), 0.6),
      { ...step(home, 1.0), gripper: 8 },
    ],
  };
}

function wipe(random: Random): TaskPlan {
  const from: Point = [random.between(0.2, 0.24), random.between(0.06, 0.1), 0.02];
  const pace = random.between(0.74, 0.96);
  const near = random.between(0.2, 0.22);
  const step = (at: Point, gripper: number, duration_s: number, object?: 'held' | 'free'): Waypoint => ({
    at,
    roll_deg: 0,
    gripper,
    duration_s: duration_s * pace,
    ...(object === undefined ? {} : { object }),
  });
  const strokes = Array.from({ length: 5 }, (_, stroke): Waypoint => {
    const far = stroke % 2 === 0;
    return step([far ? near + 0.11 : near, 0.06 - stroke * 0.035, 0.02], 40, 0.62);
  });
  return {
    text: 'Wipe the table with the sponge',
    object: { at: from, colour: 'yellow', width: 52 },
    waypoints: [
      step(above(from, 0.08), 95, 1.0),
      step(from, 95, 0.5),
      step(from, 40, 0.4, 'held'),
      ...strokes,
      step([near, -0.12, 0.02], 85, 0.4, 'free'),
      step(home, 8, 0.9),
    ],
  };
}

function above(point: Point, metres: number): Point {
  return [point[0], point[1], point[2] + metres];
}
