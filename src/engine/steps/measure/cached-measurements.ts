import { createHash, type Hash } from 'node:crypto';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { CameraEvidence, FrameLocator } from '#core/episode';
import type { CameraRequest } from '#io/media';
import { fileStamp } from '#io/sources';
import { type MeasureCache, packBlock } from '../../cache/measure-cache.ts';
import type { CacheLocation } from '../../cache/program-stamp.ts';
import type { DatasetRef, MeasuredUnit, StepOptions, Task } from '../tasks.ts';

const lineBlock_bytes = 1 << 20;

/** A measured unit from the cache, with the lines of its episodes. */
export interface CachedUnit {
  readonly unit: Omit<MeasuredUnit, 'kept'>;
  /** Blocks of complete lines. */
  readonly lines: Iterable<Buffer>;
}

/** Caches whole measured units, keyed by their dataset's stamp and all options that affect measuring. */
export class CachedUnits {
  readonly #cache: MeasureCache;
  readonly #options: unknown;

  constructor(cache: MeasureCache, place: CacheLocation, options: StepOptions) {
    this.#cache = cache;
    const { kind, recipe, rate_hz, limit, pictures, seal, render, thumbnails, sketch_codes, embed } = options;
    const measured = { kind, recipe, rate_hz, limit, pictures };
    this.#options = { program: place.program, measured, seal, render, thumbnails, sketch_codes, embed };
  }

  /** Returns the cache key of a unit, or null if its dataset has no stamp. */
  computeKey({ unit }: Task, { stamp, recognised, root }: DatasetRef): string | null {
    if (stamp == null) return null;
    return digestValue({ unit, stamp, claim: recognised, root, options: this.#options });
  }

  /** Returns the cached unit, or null if there is none. */
  load(key: string, { place, dataset }: Task): CachedUnit | null {
    const blocks = this.#cache.read(key)?.[Symbol.iterator]();
    const first = blocks?.next();
    if (blocks === undefined || first?.done !== false) return null;
    const unit: Omit<MeasuredUnit, 'kept'> = deserialize(first.value);
    return { unit: { ...unit, place, dataset }, lines: { [Symbol.iterator]: () => blocks } };
  }

  /** Returns a recorder for the lines of a unit that is being measured. */
  record(key: string): UnitRecorder {
    return new UnitRecorder((blocks) => this.#cache.write(key, blocks));
  }
}

/** Collects a unit's lines, compressed as they come, and writes the cache entry at the end. */
export class UnitRecorder {
  readonly #write: (blocks: readonly Uint8Array[]) => void;
  readonly #blocks: Buffer[] = [];
  #lines: string[] = [];
  #length = 0;

  constructor(write: (blocks: readonly Uint8Array[]) => void) {
    this.#write = write;
  }

  /** Adds the line of one episode. */
  addLine(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= lineBlock_bytes) this.#block();
  }

  /** Writes the cache entry, unless part of the unit could not be measured. */
  finish({ kept: _, ...unit }: MeasuredUnit): void {
    if (unit.unfinished !== undefined) return;
    this.#block();
    this.#write([packBlock(serialize(unit)), ...this.#blocks]);
  }

  #block(): void {
    if (this.#lines.length === 0) return;
    this.#blocks.push(packBlock(Buffer.from(`${this.#lines.join('\n')}\n`)));
    this.#lines = [];
    this.#length = 0;
  }
}

/** Returns a SHA-256 (hex) of plain data. Values hash alike only if all members and bytes are equal. */
export function digestValue(value: unknown): string {
  const digest = new Digest();
  digest.add(value);
  return digest.end();
}

/** Serialises each value with its type and length, so that no two values read the same. */
class Digest {
  readonly #hash: Hash = createHash('sha256');
  /** Text that is not hashed yet: few long updates are faster than many short ones. */
  #text = '';

  add(value: unknown): void {
    if (ArrayBuffer.isView(value)) this.#addBytes(value);
    else if (Array.isArray(value)) {
      this.#text += `list ${value.length}\0`;
      for (const item of value) this.add(item);
    } else if (typeof value === 'object' && value !== null) {
      const keys = Object.keys(value).sort();
      this.#text += `object ${keys.length}\0`;
      for (const key of keys) {
        this.add(key);
        this.add((value as Record<string, unknown>)[key]);
      }
    } else {
      const text = Object.is(value, -0) ? '-0' : String(value);
      this.#text += `${typeof value} ${text.length} ${text}\0`;
    }
  }

  end(): string {
    return this.#hash.update(this.#text).digest('hex');
  }

  #addBytes(view: ArrayBufferView): void {
    this.#hash.update(`${this.#text}${view.constructor.name} ${view.byteLength}\0`);
    this.#hash.update(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    this.#text = '';
  }
}

/** Caches camera measurements, keyed by everything that they depend on; also those of units that were interrupted. */
export class CachedCameras {
  readonly #cache: MeasureCache;
  readonly #location: CacheLocation;

  constructor(cache: MeasureCache, place: CacheLocation) {
    this.#cache = cache;
    this.#location = place;
  }

  /** Returns the cached measurement of a camera, or runs `measure` and caches the result. */
  async examine(request: CameraRequest, measure: () => Promise<CameraEvidence>): Promise<CameraEvidence> {
    // Without decoding, measuring costs less than a lookup.
    const files = request.pictures === 'none' ? null : this.#fileStamps(request);
    if (files === null) return measure();
    const key = digestValue({ camera: request, files, program: this.#location.program });
    const cached = this.#load(key);
    if (cached !== null) return cached;
    const evidence = await measure();
    // Not cached: it may succeed elsewhere or later.
    if (evidence.decodable !== 'not_measured') this.#cache.write(key, [packBlock(serialize(evidence))]);
    return evidence;
  }

  #load(key: string): CameraEvidence | null {
    try {
      for (const block of this.#cache.read(key) ?? []) return deserialize(block);
    } catch {
      // A damaged entry is measured again and replaced.
    }
    return null;
  }

  /** Returns stamps of the camera's files, or null if one is missing or was changed since the assessment began. */
  #fileStamps({ root, frames }: CameraRequest): string[] | null {
    const stamps: string[] = [];
    for (const path of decodedFiles(frames.locator)) {
      const stamp = fileStamp(join(root, path), this.#location.started_ms);
      if (stamp === null) return null;
      stamps.push(stamp);
    }
    return stamps;
  }
}

/** Returns the files that pictures of a locator are decoded from; none for embedded pictures. */
export function decodedFiles(locator: FrameLocator): readonly string[] {
  if (locator.type === 'video') return [locator.path];
  return locator.type === 'image-files' ? locator.paths : [];
}
