import type { Random } from '#core';

/** A short drive: speed and steering as slow waves, integrated to heading and place. */
export interface Route {
  readonly duration_s: number;
  speed_mps(time_s: number): number;
  steering_rad(time_s: number): number;
  /** Heading in radians from east, metres east and north of the start. */
  pose(time_s: number): { heading: number; east_m: number; north_m: number; travelled_m: number };
}

const wheelbase_m = 2.7;
const steeringRatio = 15;
const step_s = 0.01;

export function planRoute(random: Random, duration_s: number): Route {
  const cruise = random.between(9, 15);
  const [sway, wind] = [random.between(0.9, 1.8), random.between(0.35, 0.6)];
  const [a, b] = [random.between(0, 6), random.between(0, 6)];
  const speed_mps = (t: number): number =>
    cruise + sway * Math.sin(0.5 * t + a) + 0.3 * Math.sin(1.7 * t + b);
  const steering_rad = (t: number): number => wind * Math.sin(0.55 * t + b) + 0.08 * Math.sin(2.1 * t + a);
  const steps = Math.ceil(duration_s / step_s) + 2;
  const track = new Float64Array(steps * 4);
  for (let i = 1; i < steps; i++) {
    const [heading, east, north, travelled] = track.subarray((i - 1) * 4, i * 4);
    const moved = speed_mps(i * step_s) * step_s;
    const turned = (moved * Math.tan(steering_rad(i * step_s) / steeringRatio)) / wheelbase_m;
    const now = [
      heading + turned,
      east + moved * Math.cos(heading),
      north + moved * Math.sin(heading),
      travelled + moved,
    ];
    track.set(now, i * 4);
  }
  return {
    duration_s,
    speed_mps,
    steering_rad,
    pose: (t) => {
      const i = Math.max(0, Math.min(steps - 1, Math.round(t / step_s))) * 4;
      return { heading: track[i], east_m: track[i + 1], north_m: track[i + 2], travelled_m: track[i + 3] };
    },
  };
}
