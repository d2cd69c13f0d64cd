import type { Stream } from '#core/episode';
import { type GpmfEntry, readNumber, readText } from './parse-gpmf.ts';
import { type CameraClock, computeSampleTimes } from './sample-times.ts';
import type { StreamPart, TelemetryTable } from './telemetry-tables.ts';

/** Fix of one payload: its type (0 none, 2 2D, 3 3D), dilution of precision, and UTC time. */
interface Fix {
  readonly id: string;
  /** Index of the payload's block in the table of `id`. */
  readonly block: number;
  readonly fix_type: number | null;
  readonly dop: number | null;
  /** Microseconds since the UNIX epoch; `null` without a fix. */
  readonly utc_us: number | null;
}

/** 2000-01-01 in ms since the UNIX epoch, from which GPS9 counts days. */
const gps9Epoch_ms = Date.UTC(2000, 0, 1);
const dayInSeconds = 86_400;
/** GPSF and column 8 of GPS9: the receiver has a position from this value on. */
const minFixType = 2;

/** Collects fix, precision and UTC times of a camera's satellite receiver. */
export class SatelliteTimes {
  readonly #fixes: Fix[] = [];

  /** Adds the fix of one payload; other streams than GPS5 and GPS9 are ignored. */
  add(id: string, block: number, part: StreamPart, entries: readonly GpmfEntry[]): void {
    if (part.key === 'GPS5') this.#fixes.push({ id, block, ...readGps5Fix(entries) });
    else if (part.key === 'GPS9' && part.numbers.dims === 9)
      this.#fixes.push({ id, block, ...readGps9Fix(part.numbers.values) });
  }

  /**
   * Returns the quality streams of GPS5, one row per payload, and the UTC time of the first video frame: the median over
   * all payloads with a fix; `null` without one. `utc` says how it is known.
   */
  finish(
    tables: ReadonlyMap<string, TelemetryTable>,
    camera: CameraClock | null,
    zero_s: number,
  ): { streams: Stream[]; start_ns: string | null; utc: string } {
    const times = new Map([...tables].map(([id, table]) => [id, firstTimes(table, camera, zero_s)]));
    const offsets_us = this.#fixes
      .flatMap(({ id, block, utc_us }) => (utc_us === null ? [] : [utc_us - times.get(id)![block] * 1e6]))
      .sort((a, b) => a - b);
    const ids = [...new Set(this.#fixes.map(({ id }) => id))].filter((id) => id.startsWith('GPS5'));
    const streams = ids.flatMap((id) => this.#qualityStream(id, times.get(id)!) ?? []);
    if (offsets_us.length === 0)
      return { streams, start_ns: null, utc: 'no satellite fix, so the date is unknown' };
    const offset_us = offsets_us[offsets_us.length >> 1];
    const spread_ms =
      Math.max(offset_us - offsets_us[0], offsets_us[offsets_us.length - 1] - offset_us) / 1e3;
    return {
      streams,
      start_ns: String(BigInt(Math.round(offset_us)) * 1000n),
      utc: `UTC from ${offsets_us.length} satellite fixes, at most ${spread_ms.toFixed(0)} ms from the median`,
    };
  }

  #qualityStream(id: string, times: readonly number[]): Stream | null {
    const fixes = this.#fixes.filter((fix) => fix.id === id);
    if (fixes.every(({ fix_type, dop }) => fix_type === null && dop === null)) return null;
    const values = fixes.flatMap(({ fix_type, dop }) => [dop ?? Number.NaN, fix_type ?? Number.NaN]);
    return {
      id: `${id}.quality`,
      role: 'gnss',
      modality: 'numeric',
      shape: [2],
      names: ['dop', 'fix_type'],
      unit: {
        unit: 'mixed',
        evidence: 'known_format',
        reason: 'GPSP / 100 (dilution of precision) and GPSF (0 no fix, 2 2D, 3 3D), once per payload',
      },
      declared_rate_hz: null,
      sample_count: fixes.length,
      clocks: [
        {
          name: 'payload',
          provenance: 'synthesised',
          time_s: Float64Array.from(fixes, ({ block }) => times[block]),
        },
      ],
      clock: { index: 0, reason: 'time of the first position of each payload' },
      series: { values: Float64Array.from(values), dims: 2 },
    };
  }
}

/** Returns the time of the first sample of each block, in seconds since the first video frame. */
function firstTimes({ blocks }: TelemetryTable, camera: CameraClock | null, zero_s: number): number[] {
  const { time_s } = computeSampleTimes(blocks, camera, zero_s).clock;
  let row = 0;
  return blocks.map(({ rows }) => {
    const first = time_s[row];
    row += rows;
    return first;
  });
}

/** Reads GPSF, GPSP (× 100) and GPSU, which GPS5 has once per payload. */
function readGps5Fix(entries: readonly GpmfEntry[]): Pick<Fix, 'fix_type' | 'dop' | 'utc_us'> {
  const find = (key: string) => entries.find((entry) => entry.key === key);
  const [type, precision, utc] = [find('GPSF'), find('GPSP'), find('GPSU')];
  const fix_type = type === undefined ? null : readNumber(type);
  const dop = precision === undefined ? null : readNumber(precision);
  const isFixed = fix_type !== null && fix_type >= minFixType;
  return {
    fix_type,
    dop: dop === null ? null : dop / 100,
    utc_us: isFixed && utc !== undefined ? parseUtc_us(readText(utc)) : null,
  };
}

/** Reads fix, precision and UTC time of the first of several GPS9 samples. */
function readGps9Fix(values: Float64Array): Pick<Fix, 'fix_type' | 'dop' | 'utc_us'> {
  const [days, seconds, dop, fix_type] = values.subarray(5, 9);
  const utc_us = gps9Epoch_ms * 1e3 + (days * dayInSeconds + seconds) * 1e6;
  return { fix_type, dop, utc_us: fix_type >= minFixType && Number.isFinite(utc_us) ? utc_us : null };
}

/** Parses `yymmddhhmmss.sss` (years 2000 to 2099); `null` if it is no date. */
function parseUtc_us(text: string): number | null {
  const match = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?$/.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return null;
  const ms = Date.UTC(2000 + year, month - 1, day, hour, minute, second);
  return Math.round(ms * 1e3 + Number(match[7] ?? 0) * 1e6);
}
