/** Link lengths of a six-joint arm with a gripper, in metres. */
const arm = { base_height: 0.11, upper: 0.24, fore: 0.22, tool: 0.1 } as const;

export const jointNames = [
  'shoulder_pan.pos',
  'shoulder_lift.pos',
  'elbow_flex.pos',
  'forearm_roll.pos',
  'wrist_flex.pos',
  'wrist_roll.pos',
  'gripper.pos',
] as const;

export type Point = readonly [x: number, y: number, z: number];

const degrees = 180 / Math.PI;

/**
 * Computes joint angles in degrees that place the tool tip at `target` (metres, base frame) pointing down: pan from the
 * plan view, shoulder and elbow from the law of cosines, wrist so that the three pitches sum to -90.
 */
export function solveAngles(target: Point): [pan: number, lift: number, elbow: number, wrist: number] {
  const [x, y, z] = target;
  const pan = Math.atan2(y, x);
  const reach = Math.hypot(x, y);
  const rise = z + arm.tool - arm.base_height;
  const span = Math.min(Math.hypot(reach, rise), (arm.upper + arm.fore) * 0.999);
  const cosine = (span ** 2 - arm.upper ** 2 - arm.fore ** 2) / (2 * arm.upper * arm.fore);
  const elbow = -Math.acos(Math.max(-1, Math.min(1, cosine)));
  const lift =
    Math.atan2(rise, reach) - Math.atan2(arm.fore * Math.sin(elbow), arm.upper + arm.fore * Math.cos(elbow));
  return [pan * degrees, lift * degrees, elbow * degrees, -90 - (lift + elbow) * degrees];
}

/** Computes the positions of base, shoulder, elbow, wrist and tip of a pose (degrees, order of `jointNames`). */
export function computeSkeleton(pose: ArrayLike<number>): Point[] {
  const pan = pose[0] / degrees;
  const points: Point[] = [
    [0, 0, 0],
    [0, 0, arm.base_height],
  ];
  let reach = 0;
  let height: number = arm.base_height;
  let pitch = 0;
  for (const [joint, length] of [
    [1, arm.upper],
    [2, arm.fore],
    [4, arm.tool],
  ]) {
    pitch += pose[joint] / degrees;
    reach += length * Math.cos(pitch);
    height += length * Math.sin(pitch);
    points.push([reach * Math.cos(pan), reach * Math.sin(pan), height]);
  }
  return points;
}
