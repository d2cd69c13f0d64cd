import { type Colour, cloud, Picture } from '../../src/apps/samples/picture.ts';
import { computeSkeleton, type Point } from '../../src/apps/samples/teleop/arm.ts';
import { cross, dot, unit } from '../../src/apps/samples/teleop/scene.ts';
import { simulation_hz, type Take } from '../../src/apps/samples/teleop/take.ts';
import { codeOf, type Shot, strip } from './shot.ts';

export const pictureSize = { width: 128, height: 96 } as const;

interface View {
  readonly eye: Point;
  readonly target: Point;
  readonly focal_px: number;
  /** Luma and colour of the ground, so that one camera's pictures are unlike another's. */
  readonly ground: Colour;
}

const views: readonly View[] = [
  { eye: [0.78, -0.52, 0.52], target: [0.2, 0, 0.07], focal_px: 128, ground: [140, 120, 136] },
  { eye: [0.28, 0.62, 0.74], target: [0.22, 0, 0.05], focal_px: 122, ground: [96, 136, 122] },
];

const colours = { red: [110, 96, 205], blue: [90, 190, 100], yellow: [190, 60, 150] } as const;
const link: Colour = [196, 124, 132];
const joint: Colour = [70, 128, 128];

/** The empty table as each camera sees it. */
export function groundsOf(seed: number, scene = 0): readonly Picture[] {
  const { width, height } = pictureSize;
  return views.map(({ ground }, camera) => {
    const picture = new Picture(width, height);
    const [luma, u, v] = ground;
    picture.fill(luma, u + 6 * scene, v - 6 * scene);
    const grain = cloud(width, height, 4, seed * 13 + camera + 1 + 101 * scene);
    const patches = cloud(width, height, 24, seed * 13 + camera + 5 + 101 * scene);
    for (let i = 0; i < width * height; i++) {
      picture.bytes[i] = luma + 12 * scene + 10 * grain[i] + 14 * patches[i];
    }
    return picture;
  });
}

/** Draws what a camera saw of a take at `time_s` of its simulation. */
export function draw(picture: Picture, ground: Picture, take: Take, time_s: number, shot: Shot): void {
  if (shot.look === 'black') {
    picture.fill(16, 128, 128);
    return;
  }
  const { eye, target, focal_px } = views[shot.camera];
  const project = projection(eye, target, focal_px);
  const pose = poseAt(take, time_s);
  picture.copy(ground);
  const [bx, by, scale] = project(take.object(time_s));
  const size = 0.016 * scale;
  picture.stroke(bx - size, by, bx + size, by, size * 1.2, colours[take.plan.object.colour]);
  const points = computeSkeleton(pose).map(project);
  for (let i = 0; i + 1 < points.length; i++) {
    const [x0, y0, px] = points[i];
    const [x1, y1] = points[i + 1];
    picture.stroke(x0, y0, x1, y1, 0.024 * px, link);
    picture.stroke(x0, y0, x0, y0, 0.03 * px, joint);
  }
  const [x, y, px] = points[4];
  const spread = (0.008 + 0.0004 * pose[6]) * px;
  picture.stroke(x - spread, y, x - spread, y + 0.02 * px, 0.009 * px, joint);
  picture.stroke(x + spread, y, x + spread, y + 0.02 * px, 0.009 * px, joint);
  picture.noise(shot.take * 4001 + shot.row * 2 + shot.camera + 7919 * (shot.grain ?? 0), (shot.row % 3) - 1);
  label(picture, codeOf(shot));
}

function poseAt(take: Take, time_s: number): Float64Array {
  const last = take.pose.length / 7 - 1;
  const step = Math.min(Math.round(time_s * simulation_hz), last);
  return take.pose.subarray(step * 7, step * 7 + 7);
}

function label(picture: Picture, code: number): void {
  const { width, height } = pictureSize;
  const top = height - strip.block_px;
  const luma = width * height;
  for (let block = 0; block < strip.blocks; block++) {
    const bit = (code >> (strip.blocks - 1 - block)) & 1;
    for (let y = top; y < height; y++) {
      const from = y * width + block * strip.block_px;
      picture.bytes.fill(bit ? strip.light : strip.dark, from, from + strip.block_px);
    }
  }
  for (let plane = 0; plane < 2; plane++) {
    const start = luma + plane * (luma >> 2) + (top >> 1) * (width >> 1);
    picture.bytes.fill(128, start, start + (strip.block_px >> 1) * (width >> 1));
  }
}

/** Pinhole: column, row, and px a metre at that depth. */
function projection(eye: Point, target: Point, focal_px: number) {
  const forward = unit([target[0] - eye[0], target[1] - eye[1], target[2] - eye[2]]);
  const right = unit(cross(forward, [0, 0, 1]));
  const up = cross(right, forward);
  return (point: Point): [x: number, y: number, scale: number] => {
    const d: Point = [point[0] - eye[0], point[1] - eye[1], point[2] - eye[2]];
    const scale = focal_px / dot(d, forward);
    return [pictureSize.width / 2 + dot(d, right) * scale, 44 - dot(d, up) * scale, scale];
  };
}
