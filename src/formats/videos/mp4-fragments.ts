import { boxesIn, find } from './mp4-boxes.ts';
import type { Track } from './mp4-track.ts';

/** Appends the showing times of a track's frames in one `moof`; gives the decoding time after it. */
export function fragmentTimes(moof: Buffer, track: Track, startsAt: number, out: number[]): number {
  let time = startsAt;
  for (const box of boxesIn(moof)) {
    if (box.type !== 'traf') continue;
    const traf = moof.subarray(box.start, box.end);
    const header = find(traf, 'tfhd');
    if (header === null || header.length < 8 || header.readUInt32BE(4) !== track.id) continue;
    const base = find(traf, 'tfdt');
    if (base !== null) time = base[0] === 1 ? Number(base.readBigUInt64BE(4)) : base.readUInt32BE(4);
    const duration = defaultDuration(header) ?? track.fragment_duration;
    for (const run of boxesIn(traf)) {
      if (run.type === 'trun') time = runTimes(traf.subarray(run.start, run.end), duration, time, out);
    }
  }
  return time;
}

function defaultDuration(header: Buffer): number | null {
  const flags = header.readUInt32BE(0) & 0xffffff;
  if ((flags & 0x8) === 0) return null;
  const at = 8 + ((flags & 0x1) !== 0 ? 8 : 0) + ((flags & 0x2) !== 0 ? 4 : 0);
  return at + 4 <= header.length ? header.readUInt32BE(at) : null;
}

function runTimes(run: Buffer, duration: number, from: number, out: number[]): number {
  const flags = run.readUInt32BE(0) & 0xffffff;
  const count = run.readUInt32BE(4);
  const has = (flag: number) => (flags & flag) !== 0;
  const size = [0x100, 0x200, 0x400, 0x800].reduce((sum, flag) => sum + (has(flag) ? 4 : 0), 0);
  let at = 8 + (has(0x1) ? 4 : 0) + (has(0x4) ? 4 : 0);
  let time = from;
  for (let i = 0; i < count && at + size <= run.length; i++, at += size) {
    const offset = has(0x800) ? run.readInt32BE(at + size - 4) : 0;
    out.push(time + offset);
    time += has(0x100) ? run.readUInt32BE(at) : duration;
  }
  return time;
}
