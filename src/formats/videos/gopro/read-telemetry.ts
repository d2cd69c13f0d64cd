import type { Finding, Stream } from '#core/episode';
import type { FileWindow } from '#io/sources';
import { type GpmfEntry, GpmfError, listEntries, readNumber, readText } from './parse-gpmf.ts';
import type { PayloadSpan } from './payload-spans.ts';
import type { CameraClock } from './sample-times.ts';
import { SatelliteTimes } from './satellite-times.ts';
import { frameKeys, signals } from './signals.ts';
import { readStreamPart, TelemetryTable } from './telemetry-tables.ts';

/** Telemetry bytes that are read of one file; an hour of a recent camera has less than 300 MB. */
const maxTelemetryBytes = 512 * 1024 * 1024;
/** Payloads (about a second each) that a look reads. */
const lookPayloads = 64;
const maxListed = 16;

/** Signals of a GoPro video, its UTC start and findings about them. */
export interface Telemetry {
  readonly streams: readonly Stream[];
  /** UTC time of the first video frame in nanoseconds since the UNIX epoch; `null` without a satellite fix. */
  readonly start_ns: string | null;
  readonly findings: readonly Finding[];
}

/**
 * Reads the telemetry (GPMF) of a GoPro video, at most 512 MiB; payloads that are damaged or cut off are left out and
 * counted in a finding.
 * @param zero_s time of the first video frame on the time axis of the file
 * @param look true to read only the first 64 payloads
 */
export async function readTelemetry(
  file: FileWindow,
  path: string,
  payloads: readonly PayloadSpan[],
  zero_s: number,
  look: boolean,
): Promise<Telemetry> {
  const reading = new TelemetryReading();
  const read = look ? payloads.slice(0, lookPayloads) : payloads;
  let bytes = 0;
  for (const payload of read) {
    bytes += payload.bytes;
    if (bytes > maxTelemetryBytes) break;
    const data = await file.read(payload.offset, payload.bytes);
    if (data.length < payload.bytes) reading.addProblem('it lies beyond the end of the file');
    else reading.add(Buffer.from(data), payload);
  }
  return reading.finish(path, payloads.length, zero_s);
}

/** Collects the streams of all payloads of one video. */
class TelemetryReading {
  readonly #tables = new Map<string, TelemetryTable>();
  readonly #unread = new Set<string>();
  readonly #times = new SatelliteTimes();
  #device: string | null = null;
  #firstDevice: number | null = null;
  #payloads = 0;
  #problems = 0;
  #firstProblem = '';
  #camera: CameraClock | null = null;

  /** Counts a part of the telemetry that cannot be read, and keeps the first reason. */
  addProblem(why: string): void {
    if (this.#problems++ === 0) this.#firstProblem = why;
  }

  /** Runs `read` and returns its result; damage is counted and gives `null`. */
  #attempt<T>(read: () => T): T | null {
    try {
      return read();
    } catch (thrown) {
      if (!(thrown instanceof GpmfError)) throw thrown;
      this.addProblem(thrown.message);
      return null;
    }
  }

  /** Adds the streams of one payload; counts parts that cannot be read as problems. */
  add(bytes: Buffer, payload: PayloadSpan): void {
    this.#payloads++;
    this.#attempt(() => {
      const devices = listEntries(bytes).filter(({ key, type }) => key === 'DEVC' && type === '');
      for (const device of devices) this.#addDevice(listEntries(device.data), payload);
      if (devices.length === 0) this.addProblem('it has no DEVC entry');
    });
  }

  #addDevice(entries: readonly GpmfEntry[], payload: PayloadSpan): void {
    const find = (key: string) => entries.find((entry) => entry.key === key);
    const [number, name] = [find('DVID'), find('DVNM')];
    const id = number === undefined ? 0 : (readNumber(number) ?? 0);
    this.#firstDevice ??= id;
    if (id === this.#firstDevice && name !== undefined) this.#device ??= readText(name);
    const suffix = id === this.#firstDevice ? '' : `@${id}`;
    const streams = entries.filter(({ key, type }) => key === 'STRM' && type === '');
    const parsed = streams
      .map((stream) => this.#attempt(() => listEntries(stream.data)))
      .filter((stream) => stream !== null);
    this.#camera ??= suffix === '' ? findCameraClock(parsed, payload) : null;
    for (const stream of parsed) this.#attempt(() => this.#addStream(stream, suffix, payload));
  }

  #addStream(entries: readonly GpmfEntry[], suffix: string, payload: PayloadSpan): void {
    const part = readStreamPart(entries);
    if (part === null) this.#noteUnread(entries);
    if (part === null || part.numbers.rows === 0) return;
    const id = `${part.key}${suffix}`;
    let table = this.#tables.get(id);
    if (table === undefined) {
      table = new TelemetryTable(id, signals[part.key], part);
      this.#tables.set(id, table);
    }
    table.add(part, payload);
    this.#times.add(id, table.blocks.length - 1, part, entries);
  }

  /** Adds the last key of a stream, which names its samples, to the keys that are not read. */
  #noteUnread(entries: readonly GpmfEntry[]): void {
    const last = entries.at(-1);
    if (last !== undefined && last.key !== 'STNM' && this.#unread.size < 4 * maxListed)
      this.#unread.add(last.key);
  }

  /** Returns the collected streams, ordered by id, with the UTC start and the findings; empties the tables. */
  finish(path: string, payloads: number, zero_s: number): Telemetry {
    const tables = [...this.#tables.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const quality = this.#times.finish(this.#tables, this.#camera, zero_s);
    const unordered = tables.filter(
      ({ facts, isOriented, dims }) => facts.isOriented && !isOriented && dims > 1,
    );
    const streams = [...tables.flatMap((table) => table.finish(this.#camera, zero_s)), ...quality.streams];
    const findings = [
      this.#readFinding(
        path,
        payloads,
        streams.length,
        unordered.map(({ id }) => id),
        quality.utc,
      ),
      ...this.#problemFindings(path),
    ];
    return { streams, start_ns: quality.start_ns, findings };
  }

  #readFinding(path: string, payloads: number, streams: number, unordered: string[], utc: string): Finding {
    const unread = [...this.#unread].sort().slice(0, maxListed);
    const parts = [
      `telemetry of ${this.#device ?? 'a GoPro camera'}: ${streams} streams from ${this.#payloads} of ${payloads} payloads`,
      ...(unordered.length === 0
        ? []
        : [
            `the axes of ${unordered.join(', ')} are in the order of the recording, which does not name them`,
          ]),
      ...(unread.length === 0 ? [] : [`not read: ${unread.join(', ')}`]),
      utc,
    ];
    return {
      code: 'telemetry_read',
      severity: 'info',
      path,
      message: parts.join('; '),
      advice: 'nothing to do',
      evidence: { device: this.#device, payloads: this.#payloads, unread },
    };
  }

  #problemFindings(path: string): Finding[] {
    if (this.#problems === 0) return [];
    const count = this.#problems === 1 ? 'one part' : `${this.#problems} parts`;
    return [
      {
        code: 'telemetry_unreadable',
        severity: 'warning',
        path,
        message: `${count} of the telemetry cannot be read and was left out: ${this.#firstProblem}`,
        advice: 'copy the file again from the camera; the video is read without these samples',
        evidence: { parts: this.#problems },
      },
    ];
  }
}

/**
 * Relates the camera's clock to the file by the first payload with STMP: the first exposure belongs to the first frame;
 * without one, the earliest stream begins with the payload.
 */
function findCameraClock(
  streams: readonly (readonly GpmfEntry[])[],
  payload: PayloadSpan,
): CameraClock | null {
  const stamps = streams.flatMap((entries) => {
    const stamp = entries.find(({ key }) => key === 'STMP');
    const stamp_us = stamp === undefined ? null : readNumber(stamp);
    return stamp_us === null ? [] : [{ key: entries.at(-1)!.key, stamp_us }];
  });
  if (stamps.length === 0) return null;
  const frames = stamps.find(({ key }) => frameKeys.includes(key));
  if (frames !== undefined)
    return {
      offset_s: payload.from_s - frames.stamp_us / 1e6,
      reason: `${frames.key}, which has one sample per frame, aligns it with the video`,
    };
  const first_us = Math.min(...stamps.map(({ stamp_us }) => stamp_us));
  return {
    offset_s: payload.from_s - first_us / 1e6,
    reason: 'its earliest stream is assumed to start with the video',
  };
}
