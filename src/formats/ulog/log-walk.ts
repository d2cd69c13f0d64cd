import { AssayError, countPhrase } from '#core';
import type { Finding } from '#core/episode';
import { type ByteSource, RecordWindow } from '#io/sources';

/** Receives the messages of a log. */
export interface MessageHandler {
  /** Called once with the start time of the file header in µs and the format version. */
  start(start_us: number, version: number): void;
  /** Handles a message whose body is [from, to). Returns false if it is invalid; then nothing of it was used. */
  handleMessage(type: number, bytes: Uint8Array, view: DataView, from: number, to: number): boolean;
  /** Called before the buffer changes; handled messages are no longer valid afterwards. */
  flush(view: DataView): void;
}

const endOfLog = -1;

/**
 * Reads a ULog from start to end. Damaged bytes are skipped up to the next sync message; data appended after the log
 * was closed (a crash dump) is read from its offset, even if the part before it was cut off.
 */
export class LogWalk {
  readonly #window: RecordWindow;
  readonly #size: number;
  readonly #path: string;
  readonly #handler: MessageHandler;
  readonly #damage: Damage;
  /** Offsets of appended data in descending order. */
  #appended: number[] = [];
  /** Start of unreadable bytes while searching for a sync message; `null` otherwise. */
  #damagedFrom: number | null = null;

  constructor(source: ByteSource, path: string, handler: MessageHandler, damage: Damage) {
    this.#window = new RecordWindow(source);
    this.#size = source.stored;
    this.#path = path;
    this.#handler = handler;
    this.#damage = damage;
  }

  /** Number of bytes read so far. */
  get offset(): number {
    return this.#window.offset;
  }

  /**
   * Reads the file header and flags and starts the handler; throws `unreadable_input` if the file is no ULog,
   * `unsupported_version` if an unknown incompatible flag is set.
   */
  async begin(): Promise<void> {
    const window = this.#window;
    const whole = await window.fill(fileHeaderBytes);
    if (!whole || ulogMagic.some((byte, i) => window.bytes[window.start + i] !== byte))
      throw new AssayError('unreadable_input', `${this.#path} is not a ULog file: wrong magic number`, {
        path: this.#path,
      });
    const start_us = Number(window.view.getBigUint64(window.start + 8, true));
    this.#handler.start(start_us, window.bytes[window.start + 7]);
    window.start += fileHeaderBytes;
    if (!(await window.fill(messageHeaderBytes))) return;
    const length = window.bytes[window.start] | (window.bytes[window.start + 1] << 8);
    if (window.bytes[window.start + 2] !== 0x42 || !(await window.fill(messageHeaderBytes + length))) return;
    const offsets = readAppendedOffsets(window.view, window.start + messageHeaderBytes, length, this.#path);
    const usable = offsets.filter((offset) => offset > window.offset && offset < this.#size);
    this.#damage.invalidOffsets = offsets.length - usable.length;
    this.#appended = usable.sort((a, b) => b - a);
  }

  /**
   * Passes the messages in the window to the handler and fills the window again; returns false at the end of the log.
   */
  async step(): Promise<boolean> {
    const neededBytes = this.#damagedFrom === null ? this.#walk() : this.#seek();
    this.#handler.flush(this.#window.view);
    if (neededBytes === endOfLog) return false;
    if (neededBytes === 0 || (await this.#window.fill(neededBytes))) return true;
    this.#damage.addCut(this.offset, this.#window.available);
    return false;
  }

  /**
   * Reads complete messages in the window. Returns the number of bytes that the next message needs, 0 to be called
   * again, or `endOfLog`.
   */
  #walk(): number {
    const window = this.#window;
    const { bytes, view } = window;
    for (;;) {
      const { start } = window;
      const rest = this.#rest();
      if (rest === 0) return this.#appended.pop() === undefined ? endOfLog : 0;
      if (rest < messageHeaderBytes) return this.#markDamaged();
      if (window.available < messageHeaderBytes) return messageHeaderBytes;
      const whole = messageHeaderBytes + (bytes[start] | (bytes[start + 1] << 8));
      if (whole > rest || !startsMessage(bytes, start)) return this.#markDamaged();
      const hasNext = whole + messageHeaderBytes <= rest;
      const neededBytes = hasNext ? whole + messageHeaderBytes : whole;
      if (neededBytes > window.available) return neededBytes;
      if (
        !this.#handler.handleMessage(bytes[start + 2], bytes, view, start + messageHeaderBytes, start + whole)
      ) {
        // An invalid message is skipped alone if another message follows it; otherwise the bytes are damaged.
        if (hasNext && !startsMessage(bytes, start + whole)) return this.#markDamaged();
        this.#damage.invalidMessages++;
      }
      window.start += whole;
    }
  }

  /** Returns the number of bytes up to the next appended data or the end of the file. */
  #rest(): number {
    return (this.#appended.at(-1) ?? this.#size) - this.#window.offset;
  }

  #markDamaged(): number {
    this.#damagedFrom = this.offset;
    return 0;
  }

  /** Searches for the next sync message. Returns the number of bytes needed to continue, or 0 when found. */
  #seek(): number {
    const window = this.#window;
    const from = this.#damagedFrom!;
    const rest = this.#rest();
    const end = window.start + Math.min(rest, window.available);
    const found = Buffer.from(window.bytes.buffer, window.start, end - window.start).indexOf(syncMessage);
    if (found >= 0) {
      window.start += found;
      this.#damage.addSpan(from, this.offset);
      this.#damagedFrom = null;
      return 0;
    }
    if (rest > window.available) {
      window.start = Math.max(window.start, end - syncMessage.length + 1);
      return window.available + 1;
    }
    window.start = end;
    this.#damagedFrom = null;
    // Unreadable bytes up to the end of the file, or up to an appended crash dump, were cut off while being written.
    this.#damage.addCut(from, this.offset - from);
    return 0;
  }
}

const maxListedSpans = 16;
/** Maximum message size. A longer unreadable end is damage, not a message that was cut off. */
const maxMessageBytes = 65_538;

/** Counts unreadable bytes of a log while it is read, and reports them as findings. */
export class Damage {
  /** Number of invalid messages that were skipped alone. */
  invalidMessages = 0;
  invalidOffsets = 0;
  #damagedBytes = 0;
  #damagedSpans = 0;
  readonly #listed: { from: number; bytes: number }[] = [];
  readonly #cuts: { from: number; bytes: number }[] = [];

  /** Records that bytes [from, to) are damaged; reading continued at a sync message. */
  addSpan(from: number, to: number): void {
    this.#damagedSpans++;
    this.#damagedBytes += to - from;
    if (this.#listed.length < maxListedSpans) this.#listed.push({ from, bytes: to - from });
  }

  /** Records that the last bytes of the log, or of the part before appended data, are no complete message. */
  addCut(from: number, bytes: number): void {
    if (bytes > maxMessageBytes) this.addSpan(from, from + bytes);
    else this.#cuts.push({ from, bytes });
  }

  /**
   * Returns findings for damaged spans, cut ends, invalid messages and invalid offsets; empty if nothing is damaged.
   */
  findings(path: string): Finding[] {
    const found: Finding[] = [];
    const add = (
      code: string,
      severity: Finding['severity'],
      message: string,
      advice: string,
      evidence: Finding['evidence'] = {},
    ): void => {
      found.push({ code, severity, path, message, advice, evidence });
    };
    if (this.#damagedSpans > 0) {
      const where =
        this.#damagedSpans === 1
          ? `at byte ${this.#listed[0].from}`
          : `in ${this.#damagedSpans} places, first at byte ${this.#listed[0].from}`;
      const text = `${this.#damagedBytes} corrupt bytes ${where} were skipped up to the next sync marker`;
      add(
        'file_corrupt',
        'warning',
        text,
        'copy the log from the SD card again; if it is still corrupt, check the card',
        { bytes: this.#damagedBytes, spans: this.#damagedSpans, first: this.#listed },
      );
    }
    for (const { from, bytes } of this.#cuts) {
      const text = `the log ends in the middle of a message: ${bytes} bytes at byte ${from} are incomplete`;
      add(
        'file_truncated',
        'info',
        text,
        'nothing to do: a power cut ends a log like this, and everything before it was read',
        { from, bytes },
      );
    }
    if (this.invalidMessages > 0)
      add(
        'messages_undecodable',
        'warning',
        `${countPhrase(this.invalidMessages, 'messages do')} not match their declared format and had to be skipped`,
        'copy the log from the SD card again; if it stays the same, the logger wrote them incorrectly',
        { messages: this.invalidMessages },
      );
    if (this.invalidOffsets > 0)
      add(
        'appended_data_missing',
        'warning',
        `the log declares ${this.invalidOffsets} offsets of appended data beyond its end`,
        'copy the complete file',
        { offsets: this.invalidOffsets },
      );
    return found;
  }
}

/** File signature: `ULog` and three bytes that no text has. */
export const ulogMagic = [0x55, 0x4c, 0x6f, 0x67, 0x01, 0x12, 0x35] as const;

/** Bytes of the file header: magic, version, start time. */
const fileHeaderBytes = 16;

/** Bytes of a message header: size and type. */
const messageHeaderBytes = 3;

/** A complete sync message; after damaged bytes, reading resumes at the next one. */
export const syncMessage = Buffer.from([8, 0, 0x53, 0x2f, 0x73, 0x13, 0x20, 0x25, 0x0c, 0xbb, 0x12]);

const knownTypes = new Set([...'BFIMPQARDLCSO'].map((letter) => letter.charCodeAt(0)));

/** Returns true if a message may start here: a known type and a size above 0. */
function startsMessage(bytes: Uint8Array, at: number): boolean {
  return knownTypes.has(bytes[at + 2]) && (bytes[at] | bytes[at + 1]) !== 0;
}

/** Body of a flag message: compatible and incompatible flags of eight bytes each, then three offsets. */
const flagBytes = 40;

/**
 * Returns the offsets of appended data in a flag message at `at`; empty if there is none.
 * @throws AssayError `unsupported_version` if an unknown incompatible flag is set, which forbids reading on
 */
function readAppendedOffsets(view: DataView, at: number, length: number, path: string): number[] {
  if (length < flagBytes) return [];
  const incompatible = Array.from({ length: 8 }, (_, i) => view.getUint8(at + 8 + i));
  const unknown = incompatible.map((byte, i) => (i === 0 ? byte & ~1 : byte));
  if (unknown.some((byte) => byte !== 0)) {
    const bits = unknown.flatMap((byte, i) =>
      [...Array(8).keys()].filter((bit) => byte & (1 << bit)).map((bit) => i * 8 + bit),
    );
    throw new AssayError(
      'unsupported_version',
      `${path} sets unknown incompatible flag ${bits.join(', ')}, so its layout is not supported`,
      {
        path,
        place: 'flag bits message',
        advice: 'convert the log with the tools of the PX4 version that wrote it',
      },
    );
  }
  if ((incompatible[0] & 1) === 0) return [];
  const offsets = [16, 24, 32].map((from) => Number(view.getBigUint64(at + from, true)));
  return offsets.filter((offset) => offset > 0);
}
