import { limits } from '#core';
import type { LanePart } from '../../lane.ts';

/** Steps of a pixel that planes count in: finer than what flow is exact to, and 1024 px are within 16 bits. */
export const unitsPerPixel = 32;
const [least, greatest] = [-(2 ** 15), 2 ** 15 - 1];

/** Pairs go into one part until it holds so much. */
const partBytes = 16e6;

/** Where the planes of a pair lie. */
interface PlanesPlace {
  /** Name of the part. */
  readonly part: string;
  readonly offset_bytes: number;
}

/** Displacements as two planes of 16-bit integers a pair, in parts of some megabytes. */
export class FlowPlanes {
  readonly #most_bytes: number;
  readonly #full: LanePart[] = [];
  #open: Buffer[] = [];
  #openBytes = 0;
  #kept_bytes = 0;

  constructor(most_bytes: number = limits.annotation.flow_bytes.value) {
    this.#most_bytes = most_bytes;
  }

  /** Null: an episode keeps no more than it has. */
  add(flow: Float32Array): PlanesPlace | null {
    const bytes = 2 * flow.length;
    if (this.#kept_bytes + bytes > this.#most_bytes) return null;
    if (this.#openBytes > 0 && this.#openBytes + bytes > partBytes) this.#close();
    const place = { part: this.#name(), offset_bytes: this.#openBytes };
    this.#open.push(planesOf(flow));
    this.#openBytes += bytes;
    this.#kept_bytes += bytes;
    return place;
  }

  parts(): readonly LanePart[] {
    if (this.#open.length > 0) this.#close();
    return this.#full;
  }

  #name(): string {
    return `flow-${String(this.#full.length).padStart(4, '0')}`;
  }

  #close(): void {
    const bytes = Buffer.concat(this.#open);
    this.#full.push({ name: this.#name(), media_type: 'application/octet-stream', bytes });
    this.#open = [];
    this.#openBytes = 0;
  }
}

/** All x, then all y; what does not fit is the nearest that does. */
function planesOf(flow: Float32Array): Buffer {
  const pixels = flow.length / 2;
  const bytes = Buffer.alloc(2 * flow.length);
  for (let at = 0; at < flow.length; at++) {
    const units = Math.min(greatest, Math.max(least, Math.round(flow[at] * unitsPerPixel)));
    bytes.writeInt16LE(units, 2 * ((at >> 1) + (at & 1) * pixels));
  }
  return bytes;
}
