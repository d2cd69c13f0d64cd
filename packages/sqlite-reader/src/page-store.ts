import { type Overlay, readFully } from './overlay.ts';
import type { ByteRanges } from './source.ts';

/** A run of bytes of one file that is held in memory. */
interface Window {
  file: ByteRanges;
  from: number;
  to: number;
  bytes: Uint8Array;
  view: DataView;
  usedAt: number;
}

const windowCount = 6;
const smallestWindow = 16 * 1024;
const largestWindow = 1024 * 1024;
/** From here on reading has gone straight on for a while, and the next bytes are fetched while these are looked at. */
const steadyWindow = 256 * 1024;

/** The bytes behind the window last read straight on, on their way. */
interface Ahead {
  readonly from: number;
  readonly bytes: Uint8Array;
  readonly filled: Promise<number>;
}

/** Sees the bytes of the main file as they are read. */
export type SeenBytes = (bytes: Uint8Array, position: number) => void;

interface PageStoreSettings {
  readonly page_bytes: number;
  readonly pages: number;
  readonly declared_pages: number;
  readonly overlay: Overlay | null;
  readonly seen: SeenBytes | null;
}

/**
 * Pages of a database through a few windows over its file: they grow while reading goes straight on and start small
 * after a jump, so that pages in any order cost little more than themselves.
 */
export class PageStore {
  /** The file holds the page last found in `bytes`, from `offset` on. Valid until the window is needed otherwise. */
  bytes: Uint8Array = new Uint8Array(0);
  view: DataView = new DataView(this.bytes.buffer);
  offset = 0;
  readonly page_bytes: number;
  /** Pages there are; numbers start at 1. */
  readonly pages: number;
  /** Pages there were before the file was cut. */
  readonly declared_pages: number;
  readonly #file: ByteRanges;
  readonly #fileBytes: number;
  readonly #overlay: Overlay | null;
  readonly #seen: SeenBytes | null;
  readonly #windows: Window[] = [];
  #last: Window | null = null;
  #pinned: Window | null = null;
  #ahead: Ahead | null = null;
  /** A buffer that no window needs any more. */
  #spare: Uint8Array = new Uint8Array(0);
  #uses = 0;

  constructor(file: ByteRanges, fileBytes: number, settings: PageStoreSettings) {
    this.#file = file;
    this.#fileBytes = fileBytes;
    this.page_bytes = settings.page_bytes;
    this.pages = settings.pages;
    this.declared_pages = Math.max(settings.pages, settings.declared_pages);
    this.#overlay = settings.overlay;
    this.#seen = settings.seen;
  }

  /** Where a page stands in its file, for findings. */
  placeOf(page: number): number {
    return this.#overlay?.places.get(page) ?? (page - 1) * this.page_bytes;
  }

  /** False: the page is not in memory; `load` it. */
  find(page: number): boolean {
    const inOverlay = this.#overlay?.places.get(page);
    const file = inOverlay === undefined || this.#overlay === null ? this.#file : this.#overlay.file;
    const place = inOverlay ?? (page - 1) * this.page_bytes;
    const last = this.#last;
    const window =
      last !== null && last.file === file && place >= last.from && place + this.page_bytes <= last.to
        ? last
        : this.#windowAt(file, place);
    if (window === null) return false;
    this.bytes = window.bytes;
    this.view = window.view;
    this.offset = place - window.from;
    return true;
  }

  /** Keeps the bytes of the page last found until another is pinned. */
  pin(): void {
    this.#pinned = this.#last;
  }

  /** Reads a page and what follows it. False: the file ends before it is whole. */
  async load(page: number): Promise<boolean> {
    const inOverlay = this.#overlay?.places.get(page);
    if (inOverlay !== undefined && this.#overlay !== null) {
      return this.#read(this.#overlay.file, inOverlay, this.page_bytes);
    }
    const place = (page - 1) * this.page_bytes;
    const before = this.#windows.find(({ file, to }) => file === this.#file && to === place);
    const grown = before === undefined ? smallestWindow : (before.to - before.from) * 2;
    const length = Math.max(this.page_bytes, Math.min(grown, largestWindow));
    return this.#read(this.#file, place, Math.min(length, this.#fileBytes - place));
  }

  #windowAt(file: ByteRanges, place: number): Window | null {
    const end = place + this.page_bytes;
    for (const window of this.#windows) {
      if (window.file !== file || place < window.from || end > window.to) continue;
      window.usedAt = ++this.#uses;
      this.#last = window;
      return window;
    }
    return null;
  }

  async #read(file: ByteRanges, place: number, length: number): Promise<boolean> {
    if (length < this.page_bytes) return false;
    const window = this.#freeWindow(file, length);
    window.from = place;
    window.to = place;
    const filled =
      file === this.#file && this.#ahead?.from === place
        ? await this.#takeAhead(window, this.#ahead)
        : await readFully(file, window.bytes.subarray(0, length), place);
    window.to = place + filled;
    if (file !== this.#file) return filled >= this.page_bytes;
    this.#seen?.(window.bytes.subarray(0, filled), place);
    if (filled >= steadyWindow) this.#fetchAhead(window.to);
    return filled >= this.page_bytes;
  }

  async #takeAhead(window: Window, { bytes, filled }: Ahead): Promise<number> {
    this.#ahead = null;
    this.#spare = window.bytes;
    window.bytes = bytes;
    window.view = new DataView(bytes.buffer);
    return await filled;
  }

  #fetchAhead(from: number): void {
    const length = Math.min(largestWindow, this.#fileBytes - from);
    if (length < this.page_bytes || this.#ahead?.from === from) return;
    const bytes = this.#spare.length >= length ? this.#spare : new Uint8Array(largestWindow);
    this.#spare = new Uint8Array(0);
    const filled = readFully(this.#file, bytes.subarray(0, length), from);
    // Whoever asks for it meets the fault; nobody may.
    filled.catch(() => undefined);
    this.#ahead = { from, bytes, filled };
  }

  #freeWindow(file: ByteRanges, length: number): Window {
    const usedAt = ++this.#uses;
    let window = this.#windows
      .filter((candidate) => candidate !== this.#pinned && candidate !== this.#last)
      .reduce<Window | null>(
        (oldest, one) => (oldest === null || one.usedAt < oldest.usedAt ? one : oldest),
        null,
      );
    if (window === null || this.#windows.length < windowCount) {
      window = {
        file,
        from: 0,
        to: 0,
        bytes: new Uint8Array(0),
        view: new DataView(new ArrayBuffer(0)),
        usedAt,
      };
      this.#windows.push(window);
    }
    if (window.bytes.length < length) {
      window.bytes = new Uint8Array(length);
      window.view = new DataView(window.bytes.buffer);
    }
    return Object.assign(window, { file, usedAt });
  }
}
