import type { RawLayout } from '#core/episode';

/** A picture held back, with its log time still in nanoseconds from the recording's base. */
export interface HeldPicture {
  readonly index: number;
  readonly bytes: Uint8Array;
  readonly layout: RawLayout | null;
  /** Video: which group of pictures it belongs to. */
  readonly group: number;
}

export interface SamplerLimits {
  readonly pictures: number;
  readonly bytes: number;
}

/**
 * Keeps a bounded, even sample of a stream whose length nobody knows: pairs of neighbours (so that differences can be
 * measured) at every k-th place, k doubling and the surplus dropped whenever a limit is passed. The same pictures are
 * kept whatever the timing.
 */
export class PictureSampler {
  held: HeldPicture[] = [];
  bytes = 0;
  #stride = 1;
  readonly #limits: SamplerLimits;

  constructor(limits: SamplerLimits) {
    this.#limits = limits;
  }

  wants(index: number): boolean {
    return this.#stride < 4 || index % this.#stride < 2;
  }

  keep(picture: HeldPicture): void {
    this.held.push(picture);
    this.bytes += picture.bytes.length;
    while (this.held.length > 2 && this.#full()) this.thin();
  }

  /** Doubles the distance between samples. */
  thin(): void {
    this.#stride = this.#stride === 1 ? 4 : this.#stride * 2;
    this.held = this.held.filter((picture) => this.wants(picture.index));
    this.bytes = this.held.reduce((sum, picture) => sum + picture.bytes.length, 0);
  }

  #full(): boolean {
    return this.held.length > this.#limits.pictures || this.bytes > this.#limits.bytes;
  }
}

/** Longest run kept of one group of pictures: enough to judge it, whatever the keyframe distance. */
const maxUnits = 48;
const maxGroups = 6;

/**
 * Keeps whole access units from a keyframe on, for a few groups of pictures spread over the stream: what lies between
 * keyframes cannot be decoded alone.
 */
export class VideoSampler {
  held: HeldPicture[] = [];
  bytes = 0;
  #stride = 1;
  #group = -1;
  #units = 0;
  #groups = 0;
  readonly #limits: SamplerLimits;

  constructor(limits: SamplerLimits) {
    this.#limits = limits;
  }

  /** To be called for every access unit in order. */
  wants(isKey: boolean): boolean {
    if (isKey) {
      this.#group++;
      this.#units = 0;
      if (this.#group % this.#stride === 0 && ++this.#groups > maxGroups) this.thin();
    }
    return this.#group >= 0 && this.#group % this.#stride === 0 && this.#units < maxUnits;
  }

  get group(): number {
    return this.#group;
  }

  keep(picture: HeldPicture): void {
    this.held.push(picture);
    this.#units++;
    this.bytes += picture.bytes.length;
    if (this.bytes <= this.#limits.bytes) return;
    if (this.#groups > 1) this.thin();
    else this.#units = maxUnits;
  }

  thin(): void {
    this.#stride *= 2;
    this.held = this.held.filter((picture) => picture.group % this.#stride === 0);
    this.bytes = this.held.reduce((sum, picture) => sum + picture.bytes.length, 0);
    this.#groups = new Set(this.held.map((picture) => picture.group)).size;
  }
}
