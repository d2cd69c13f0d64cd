import { type Colour, cloud, Picture } from '../picture.ts';
import { computeSkeleton, type Point } from './arm.ts';

/** Computes the dot product. */
export function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Computes the cross product. */
export function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Normalises a vector to length 1. */
export function unit(v: Point): Point {
  const length = Math.hypot(v[0], v[1], v[2]);
  return [v[0] / length, v[1] / length, v[2] / length];
}

export const cameraSize = { width: 320, height: 240 } as const;

const eye: Point = [0.78, -0.52, 0.52];
const target: Point = [0.2, 0, 0.07];
const focal_px = 330;
const axes = lookAt(eye, target);

const colours = {
  red: [110, 96, 205],
  blue: [90, 190, 100],
  yellow: [190, 60, 150],
  link: [196, 124, 132],
  joint: [70, 128, 128],
  tool: [120, 140, 116],
  bowl: [150, 150, 108],
} as const satisfies Record<string, Colour>;

/** Draws the table without the arm: wood, the wall behind it and a bowl. */
export function backdrop(seed: number): Picture {
  const { width, height } = cameraSize;
  const picture = new Picture(width, height);
  picture.fill(150, 122, 134);
  const grain = cloud(width, height, 5, seed + 1);
  const patches = cloud(width, height, 48, seed + 2);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const wall = y < 62 + x * 0.06;
      const stripes = wall ? 0 : 9 * Math.sin((x * 0.5 + y * 1.7) * 0.16 + 3 * patches[y * width + x]);
      const tone = wall ? 96 + 10 * patches[y * width + x] : 148 - (240 - y) * 0.12 + stripes;
      picture.bytes[y * width + x] = tone + 11 * grain[y * width + x];
    }
  }
  const [x, y] = project([0.26, 0.135, 0.02]);
  picture.stroke(x - 17, y, x + 17, y, 13, colours.bowl);
  picture.stroke(x - 13, y - 3, x + 13, y - 3, 7, [84, 140, 118]);
  return picture;
}

/** Draws arm and object over a copy of the backdrop; `pose` in degrees, order of `jointNames`. */
export function drawScene(
  picture: Picture,
  empty: Picture,
  pose: ArrayLike<number>,
  object: Point,
  colour: 'red' | 'blue' | 'yellow',
): void {
  picture.copy(empty);
  const [bx, by, scale] = project(object);
  picture.stroke(bx - 0.014 * scale, by, bx + 0.014 * scale, by, 0.016 * scale, colours[colour]);
  const points = computeSkeleton(pose).map(project);
  for (let i = 0; i + 1 < points.length; i++) {
    const [x0, y0, size] = points[i];
    const [x1, y1] = points[i + 1];
    picture.stroke(x0, y0, x1, y1, (i === 3 ? 0.013 : 0.024) * size, i === 3 ? colours.tool : colours.link);
    picture.stroke(x0, y0, x0, y0, 0.028 * size, colours.joint);
  }
  const [x, y, size] = points[4];
  const spread = (0.006 + 0.0003 * pose[6]) * size;
  picture.stroke(x - spread, y - 4, x - spread, y + 0.012 * size, 0.006 * size, colours.joint);
  picture.stroke(x + spread, y - 4, x + spread, y + 0.012 * size, 0.006 * size, colours.joint);
}

/** Projects a point through a pinhole camera: column and row in px, and px per metre at its depth. */
function project(point: Point): [x: number, y: number, scale: number] {
  const d: Point = [point[0] - eye[0], point[1] - eye[1], point[2] - eye[2]];
  const depth = dot(d, axes.forward);
  const scale = focal_px / depth;
  return [
    cameraSize.width / 2 + dot(d, axes.right) * scale,
    cameraSize.height / 2 - dot(d, axes.up) * scale,
    scale,
  ];
}

function lookAt(from: Point, to: Point): { forward: Point; right: Point; up: Point } {
  const forward = unit([to[0] - from[0], to[1] - from[1], to[2] - from[2]]);
  const right = unit(cross(forward, [0, 0, 1]));
  return { forward, right, up: cross(right, forward) };
}
