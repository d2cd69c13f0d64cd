import type { Random } from '#core';
import type { Point } from './arm.ts';

/** Where the tool should be, how far the gripper is open (0..100), and how long it takes to get there. */
interface Waypoint {
  readonly at: Point;
  readonly roll_deg: number;
  readonly gripper: number;
  readonly duration_s: number;
  /** From the end of this waypoint the object moves with the tool, or stays where it is. */
  readonly object?: 'held' | 'free';
}

export interface TaskPlan {
  readonly text: string;
  readonly object: { readonly at: Point; readonly colour: 'red' | 'blue' | 'yellow'; readonly width: number };
  readonly waypoints: readonly Waypoint[];
}

export const home: Point = [0.2, 0, 0.24];

/** What is asked of the arm, and how an operator does it. Places and paces vary from episode to episode. */
export const taskPlans: readonly ((random: Random) => TaskPlan)[] = [pickAndPlace, pushAside, wipe];

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
