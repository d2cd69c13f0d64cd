import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { CameraEvidence, FrameLocator } from '#core/episode';
import type { CameraRequest } from '#io/media';
import { fileStamp } from '#io/sources';
import type { CachePlace } from './cache-place.ts';
import { digestOf } from './digest-of.ts';
import type { MeasureCache } from './measure-cache.ts';
import { packBlock } from './measure-cache.ts';

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
    // Nothing is decoded then, which costs less than looking it up.
    const files = request.pictures === 'none' ? null : this.#stamps(request);
    if (files === null) return measure();
    const key = digestOf({ camera: request, files, program: this.#place.program });
    const known = this.#find(key);
    if (known !== null) return known;
    const evidence = await measure();
    // Where nothing could be measured here, it may be elsewhere or later.
    if (evidence.decodable !== 'not_measured') this.#cache.write(key, [packBlock(serialize(evidence))]);
    return evidence;
  }

  #find(key: string): CameraEvidence | null {
    try {
      for (const block of this.#cache.read(key) ?? []) return deserialize(block);
    } catch {
      // It is measured anew, and replaced.
    }
    return null;
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
