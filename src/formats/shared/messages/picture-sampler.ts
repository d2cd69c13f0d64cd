import type { RawLayout } from '#core/episode';

/** A sampled picture of a stream. */
export interface BufferedPicture {
  readonly index: number;
  readonly bytes: Uint8Array;
  readonly layout: RawLayout | null;
  /** Index of its group of pictures, for video. */
  readonly group: number;
}

/** Maximum number and total bytes of the sampled pictures. */
export interface SamplerLimits {
  readonly pictures: number;
  readonly bytes: number;
}

/**
 * Keeps a bounded, even sample of a stream of unknown length: pairs of neighbours (so that differences can be measured)
 * at every k-th position. k doubles, and surplus pictures are dropped, whenever a limit is exceeded. Deterministic,
 * independent of timing.
 */
export class PictureSampler {
  pictures: BufferedPicture[] = [];
  bytes = 0;
  #stride = 1;
  readonly #limits: SamplerLimits;

  constructor(limits: SamplerLimits) {
    this.#limits = limits;
  }

  /** True if the picture at this index belongs to the sample. */
  accepts(index: number): boolean {
    return this.#stride < 4 || index % this.#stride < 2;
  }

  /** Adds an accepted picture; thins the sample while it exceeds its limits. */
  add(picture: BufferedPicture): void {
    this.pictures.push(picture);
    this.bytes += picture.bytes.length;
    while (this.pictures.length > 2 && this.#isOverLimit()) this.thin();
  }

  /** Doubles the distance between samples and drops the surplus. */
  thin(): void {
    this.#stride = this.#stride === 1 ? 4 : this.#stride * 2;
    this.pictures = this.pictures.filter((picture) => this.accepts(picture.index));
    this.bytes = this.pictures.reduce((sum, picture) => sum + picture.bytes.length, 0);
  }

  #isOverLimit(): boolean {
    return this.pictures.length > this.#limits.pictures || this.bytes > this.#limits.bytes;
  }
}

/** Maximum access units per group of pictures; enough to assess it, whatever the keyframe distance. */
const maxUnits = 48;
const maxGroups = 6;

/**
 * Keeps access units from a keyframe on, for a few groups of pictures spread over the stream: units between keyframes
 * cannot be decoded alone.
 */
export class VideoSampler {
  pictures: BufferedPicture[] = [];
  bytes = 0;
  #stride = 1;
  #group = -1;
  #units = 0;
  #groups = 0;
  readonly #limits: SamplerLimits;

  constructor(limits: SamplerLimits) {
    this.#limits = limits;
  }

  /**
   * True if the access unit belongs to the sample; counts groups of pictures, so it must be called for every unit, in
   * order.
   */
  accepts(isKey: boolean): boolean {
    if (isKey) {
      this.#group++;
      this.#units = 0;
      if (this.#group % this.#stride === 0 && ++this.#groups > maxGroups) this.thin();
    }
    return this.#group >= 0 && this.#group % this.#stride === 0 && this.#units < maxUnits;
  }

  /** Index of the current group of pictures; -1 before the first keyframe. */
  get group(): number {
    return this.#group;
  }

  /** Adds an accepted access unit; over the byte limit, thins the sample, or ends its only group. */
  add(picture: BufferedPicture): void {
    this.pictures.push(picture);
    this.#units++;
    this.bytes += picture.bytes.length;
    if (this.bytes <= this.#limits.bytes) return;
    if (this.#groups > 1) this.thin();
    else this.#units = maxUnits;
  }

  /** Drops every second of the sampled groups and doubles the distance between further ones. */
  thin(): void {
    this.#stride *= 2;
    this.pictures = this.pictures.filter((picture) => picture.group % this.#stride === 0);
    this.bytes = this.pictures.reduce((sum, picture) => sum + picture.bytes.length, 0);
    this.#groups = new Set(this.pictures.map((picture) => picture.group)).size;
  }
}
