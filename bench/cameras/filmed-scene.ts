import { type Random, seededRandom } from '#core';
import { cloud } from '../../src/apps/samples/picture.ts';

export const sceneSize = { width: 160, height: 120 } as const;
export const rate_hz = 30;

/** Moving part of the scene: an arm in front of a fixed camera, or the wrist camera itself. */
export type View = 'arm' | 'wrist';
export type Speed = 'still' | 'slow' | 'fast';

/** Mean speed of a stroke in px per frame. */
const pxPerFrame = { still: 0, slow: 0.4, fast: 4 } as const;
/** Largest distance from the centre, in px, so that the arm stays in the picture. */
const reach_px = 0.35 * sceneSize.height;

/**
 * Moves in strokes with short rests in between, as a person does (minimum jerk, Flash and Hogan 1985). Returns x, y of
 * every frame in px from the centre.
 */
export function strokes(random: Random, frames: number, speed: Speed): Float64Array {
  const position = new Float64Array(2 * frames);
  if (speed === 'still') return position;
  let [x, y] = [0, 0];
  for (let at = 0; at < frames; ) {
    const rest = random.next() < 0.3 ? random.integer(6, 24) : 0;
    for (let i = 0; i < rest && at < frames; i++, at++) position.set([x, y], 2 * at);
    const length = random.integer(25, 60);
    const distance = Math.min(pxPerFrame[speed] * length, reach_px);
    let angle = random.between(0, 2 * Math.PI);
    const isOutside = Math.hypot(x + Math.cos(angle) * distance, y + Math.sin(angle) * distance) > reach_px;
    if (isOutside) angle = Math.atan2(-y, -x) + random.between(-0.5, 0.5);
    for (let i = 1; i <= length && at < frames; i++, at++) {
      const u = i / length;
      const moved = distance * u * u * u * (10 - 15 * u + 6 * u * u);
      position.set([x + Math.cos(angle) * moved, y + Math.sin(angle) * moved], 2 * at);
    }
    x += Math.cos(angle) * distance;
    y += Math.sin(angle) * distance;
  }
  return position;
}

/** Border of the ground around the picture, in px, for a camera that moves. */
const margin_px = 60;
const wide = sceneSize.width + 2 * margin_px;
const high = sceneSize.height + 2 * margin_px;
/** Number of noise values that pictures are taken from; a power of two. */
const grainSize = 1 << 16;

/**
 * Draws planar YUV 4:2:0 pictures with the noise of a sensor. `shown`: the frame whose position and noise each picture
 * has; pictures of the same frame are equal.
 */
export function draw(
  { view, noise, seed }: { readonly view: View; readonly noise: number; readonly seed: number },
  position: Float64Array,
  shown: readonly number[],
): Uint8Array[] {
  const { width, height } = sceneSize;
  const random = seededRandom(seed + 99);
  const ground = groundLevels(seed);
  const grain = Float32Array.from({ length: grainSize }, () => random.normal() * noise);
  const scene = new Float32Array(width * height);
  let last: { readonly frame: number; readonly picture: Uint8Array } | null = null;
  return shown.map((frame) => {
    if (last?.frame === frame) return last.picture;
    const [x, y] = [position[2 * frame], position[2 * frame + 1]];
    drawGround(scene, ground, view === 'wrist' ? [x, y] : [0, 0]);
    if (view === 'arm') drawArm(scene, x, y);
    const luma = new Uint8ClampedArray((width * height * 3) / 2).fill(128);
    const offset = random.integer(0, grainSize - 1);
    for (let i = 0; i < scene.length; i++) luma[i] = scene[i] + grain[(offset + i) & (grainSize - 1)];
    const picture = new Uint8Array(luma.buffer);
    last = { frame, picture };
    return picture;
  });
}

/** Returns the levels of a ground with coarse and fine patches, row by row, with its border. */
function groundLevels(seed: number): Float32Array {
  const fine = cloud(wide, high, 3, seed + 1);
  return cloud(wide, high, 10, seed).map((patch, i) => 120 + 45 * patch + 15 * fine[i]);
}

/** Draws the ground as a camera sees it that is shifted by x and y px, interpolated. */
function drawGround(scene: Float32Array, ground: Float32Array, [x, y]: readonly [number, number]): void {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [u, v] = [x - left, y - top];
  for (let row = 0, i = 0; row < sceneSize.height; row++) {
    let at = (row + top + margin_px) * wide + left + margin_px;
    for (let column = 0; column < sceneSize.width; column++, at++, i++) {
      const above = ground[at] + (ground[at + 1] - ground[at]) * u;
      const below = ground[at + wide] + (ground[at + wide + 1] - ground[at + wide]) * u;
      scene[i] = above + (below - above) * v;
    }
  }
}

/** Half the width of the arm in px. */
const armRadius_px = 9;

/** Draws an arm from the upper edge to (x0, y0) px off the centre, lighter to its left. */
function drawArm(scene: Float32Array, x0: number, y0: number): void {
  const [handX, handY] = [sceneSize.width / 2 + x0, sceneSize.height / 2 + y0];
  for (let y = 0; y < Math.min(sceneSize.height, handY + armRadius_px); y++) {
    const middle = sceneSize.width / 2 + x0 * Math.min(1, y / Math.max(1, handY));
    const from = Math.max(0, Math.ceil(middle - armRadius_px));
    const to = Math.min(sceneSize.width - 1, Math.floor(middle + armRadius_px));
    for (let x = from; x <= to; x++) {
      const away = y > handY ? Math.hypot(x - handX, y - handY) : Math.abs(x - middle);
      const cover = Math.max(0, Math.min(1, armRadius_px - away));
      const at = y * sceneSize.width + x;
      scene[at] += cover * (205 - 6 * (x - middle) - scene[at]);
    }
  }
}
