import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { CameraEvidence, FrameLocator } from '#episode';
import type { CameraRequest } from '#media';
import { fileStamp } from '#sources';
import type { CachePlace } from './cache-place.ts';
import { digestOf } from './digest-of.ts';
import { packBlock } from './entry.ts';
import type { MeasureCache } from './measure-cache.ts';

/** What was measured of cameras, each under all that its measurement depends on: also of units that were cut short. */
export class KeptCameras {
  readonly #cache: MeasureCache;
  readonly #place: CachePlace;

  constructor(cache: MeasureCache, place: CachePlace) {
    this.#cache = cache;
    this.#place = place;
  }

  /** What is kept of a camera, or else what `measure` gives, which is kept then. */
  async examine(request: CameraRequest, measure: () => Promise<CameraEvidence>): Promise<CameraEvidence> {
    const files = this.#stamps(request);
    if (files === null) return measure();
    const known = this.#find(request, files);
    if (known !== null) return known;
    const evidence = await measure();
    // Where nothing could be measured here, it may be elsewhere or later.
    if (evidence.decodable !== 'not_measured')
      this.#cache.write(this.#keyOf(request, files), [packBlock(serialize(evidence))]);
    return evidence;
  }

  #find(request: CameraRequest, files: readonly string[]): CameraEvidence | null {
    for (const block of this.#cache.read(this.#keyOf(request, files)) ?? []) return deserialize(block);
    return null;
  }

  #keyOf(request: CameraRequest, files: readonly string[]): string {
    return digestOf({ camera: request, files, program: this.#place.program });
  }

  /** Null where a file is not there, or was changed since the assessment began. */
  #stamps({ root, frames }: CameraRequest): string[] | null {
    const stamps: string[] = [];
    for (const path of filesOf(frames.locator)) {
      const stamp = fileStamp(join(root, path), this.#place.begun_ms);
      if (stamp === null) return null;
      stamps.push(stamp);
    }
    return stamps;
  }
}

/** Files that pictures of a locator are decoded from. */
export function filesOf(locator: FrameLocator): readonly string[] {
  if (locator.type === 'video') return [locator.path];
  return locator.type === 'image-files' ? locator.paths : [];
}
