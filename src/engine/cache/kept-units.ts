import { deserialize, serialize } from 'node:v8';
import type { DatasetRef, MeasuredUnit, StepOptions, Task } from '../steps/tasks.ts';
import type { CachePlace } from './cache-place.ts';
import { digestOf } from './digest-of.ts';
import type { MeasureCache } from './measure-cache.ts';
import { packBlock } from './measure-cache.ts';

const blockBytes = 1 << 20;

/** A unit as it was measured, and the lines of its episodes. */
export interface KeptUnit {
  readonly unit: Omit<MeasuredUnit, 'kept'>;
  /** Blocks of whole lines. */
  readonly lines: Iterable<Buffer>;
}

/** Whole units that were measured, each under its dataset's stamp and all options that measuring depends on. */
export class KeptUnits {
  readonly #cache: MeasureCache;
  readonly #options: unknown;

  constructor(cache: MeasureCache, place: CachePlace, options: StepOptions) {
    this.#cache = cache;
    const { kind, recipe, rate_hz, limit, pictures, seal, render, thumbnails, sketch_codes, embed } = options;
    const measured = { kind, recipe, rate_hz, limit, pictures };
    this.#options = { program: place.program, measured, seal, render, thumbnails, sketch_codes, embed };
  }

  /** The key of a unit; null where what its dataset holds cannot be told. */
  keyOf({ unit }: Task, { stamp, recognised, root }: DatasetRef): string | null {
    if (stamp == null) return null;
    return digestOf({ unit, stamp, claim: recognised, root, options: this.#options });
  }

  /** Null where it is not kept. */
  load(key: string, { place, dataset }: Task): KeptUnit | null {
    const blocks = this.#cache.read(key)?.[Symbol.iterator]();
    const first = blocks?.next();
    if (blocks === undefined || first?.done !== false) return null;
    const unit: Omit<MeasuredUnit, 'kept'> = deserialize(first.value);
    return { unit: { ...unit, place, dataset }, lines: { [Symbol.iterator]: () => blocks } };
  }

  /** Takes the lines of a unit that is being measured. */
  begin(key: string): UnitKeeper {
    return new UnitKeeper((blocks) => this.#cache.write(key, blocks));
  }
}

/** Packs lines as they come, so that few of them are held as they are. */
export class UnitKeeper {
  readonly #write: (blocks: readonly Uint8Array[]) => void;
  readonly #blocks: Buffer[] = [];
  #lines: string[] = [];
  #length = 0;

  constructor(write: (blocks: readonly Uint8Array[]) => void) {
    this.#write = write;
  }

  line(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= blockBytes) this.#block();
  }

  /** Keeps the unit, unless something of it could not be measured here. */
  end({ kept: _, ...unit }: MeasuredUnit): void {
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
