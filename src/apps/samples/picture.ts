import { seededRandom } from '#core';

/** A planar YUV 4:2:0 picture to draw on. */
export class Picture {
  readonly width: number;
  readonly height: number;
  /** Planes Y, U, V in this order. */
  readonly bytes: Uint8Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.bytes = new Uint8Array((width * height * 3) / 2);
  }

  /** Replaces the content by a background of the same size. */
  copy(background: Picture): void {
    this.bytes.set(background.bytes);
  }

  /** Fills the picture with one colour. */
  fill(y: number, u: number, v: number): void {
    const luma = this.width * this.height;
    this.bytes.fill(y, 0, luma);
    this.bytes.fill(u, luma, luma * 1.25);
    this.bytes.fill(v, luma * 1.25);
  }

  /** Draws a line with round ends; radius in px. It is lighter towards the upper edge, as if lit from above. */
  stroke(x0: number, y0: number, x1: number, y1: number, radius: number, [y, u, v]: Colour): void {
    const left = Math.max(0, Math.floor(Math.min(x0, x1) - radius));
    const right = Math.min(this.width - 1, Math.ceil(Math.max(x0, x1) + radius));
    const top = Math.max(0, Math.floor(Math.min(y0, y1) - radius));
    const bottom = Math.min(this.height - 1, Math.ceil(Math.max(y0, y1) + radius));
    const dx = x1 - x0;
    const dy = y1 - y0;
    const length = dx * dx + dy * dy || 1;
    const luma = this.width * this.height;
    const half = this.width >> 1;
    for (let py = top; py <= bottom; py++) {
      for (let px = left; px <= right; px++) {
        const t = Math.max(0, Math.min(1, ((px - x0) * dx + (py - y0) * dy) / length));
        const offY = py - (y0 + t * dy);
        const offX = px - (x0 + t * dx);
        if (offX * offX + offY * offY > radius * radius) continue;
        this.bytes[py * this.width + px] = y - (offY / radius) * 22;
        const chroma = luma + (py >> 1) * half + (px >> 1);
        this.bytes[chroma] = u;
        this.bytes[chroma + (luma >> 2)] = v;
      }
    }
  }

  /** Returns red, green and blue of a pixel, 0 to 255 (BT.601, limited range). */
  rgbAt(x: number, y: number): [number, number, number] {
    const luma = this.width * this.height;
    const chroma = luma + (y >> 1) * (this.width >> 1) + (x >> 1);
    const light = 1.164 * (this.bytes[y * this.width + x] - 16);
    const u = this.bytes[chroma] - 128;
    const v = this.bytes[chroma + (luma >> 2)] - 128;
    const byte = (value: number) => Math.max(0, Math.min(255, Math.round(value)));
    return [byte(light + 1.596 * v), byte(light - 0.392 * u - 0.813 * v), byte(light + 2.017 * u)];
  }

  /** Adds sensor noise to luma, different for every frame but reproducible. `flicker` is added to all pixels. */
  noise(frame: number, flicker: number): void {
    const luma = this.width * this.height;
    const offset = Math.imul(frame + 1, 40503) & (noiseTile.length - 1);
    const { bytes } = this;
    for (let i = 0; i < luma; i++) {
      bytes[i] += noiseTile[(offset + i) & (noiseTile.length - 1)] + flicker;
    }
  }
}

/** Colour as Y, U, V. */
export type Colour = readonly [number, number, number];

const noiseTile = ((): Int8Array => {
  const random = seededRandom(20_011);
  const tile = new Int8Array(1 << 17);
  for (let i = 0; i < tile.length; i++) tile[i] = Math.round(random.normal() * 1.6);
  return tile;
})();

/** Computes smooth value noise in -1 to 1, with `cell` px between its knots. */
export function cloud(width: number, height: number, cell: number, seed: number): Float32Array {
  const random = seededRandom(seed);
  const columns = Math.ceil(width / cell) + 2;
  const rows = Math.ceil(height / cell) + 2;
  const knots = Float32Array.from({ length: columns * rows }, () => random.between(-1, 1));
  const out = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / cell);
    const v = y / cell - row;
    for (let x = 0; x < width; x++) {
      const column = Math.floor(x / cell);
      const u = x / cell - column;
      const at = row * columns + column;
      const upper = knots[at] + (knots[at + 1] - knots[at]) * u;
      const lower = knots[at + columns] + (knots[at + columns + 1] - knots[at + columns]) * u;
      out[y * width + x] = upper + (lower - upper) * v;
    }
  }
  return out;
}
