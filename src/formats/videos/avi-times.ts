import type { FileWindow } from '#io/sources';
import { type FrameTimes, NoTimes } from './frame-times.ts';

/** AVI has no stamps: frame k of the video stream is shown at k * scale / rate. Throws NoTimes. */
export async function aviTimes(file: FileWindow): Promise<FrameTimes> {
  const head = Buffer.from(await file.read(0, 64 * 1024));
  for (let at = head.indexOf('strh'); at >= 0 && at + 44 <= head.length; at = head.indexOf('strh', at + 4)) {
    if (head.toString('latin1', at + 8, at + 12) !== 'vids') continue;
    const scale = head.readUInt32LE(at + 28);
    const rate = head.readUInt32LE(at + 32);
    const count = head.readUInt32LE(at + 40);
    if (scale === 0 || rate === 0 || count > file.size) break;
    const time_s = Float64Array.from({ length: count }, (_, k) => (k * scale) / rate);
    const missing_bytes = Math.max(0, head.readUInt32LE(4) + 8 - file.size);
    return {
      missing_bytes,
      time_s,
      tick_s: scale / rate,
      source: 'counted',
      codec: head.toString('latin1', at + 12, at + 16),
    };
  }
  throw new NoTimes('no_video', 'the file holds no video stream that says its rate');
}
