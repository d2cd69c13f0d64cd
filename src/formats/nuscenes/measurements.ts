import { FileWindow, type SourceTree } from '#io/sources';
import { parseRecord, type RecordPlace } from '../shared/text/json-list.ts';
import { numberOf, textOf } from './records.ts';
import type { Mount } from './small-tables.ts';

/** One record of sample_data: what a sensor measured at a moment. */
export interface Measurement {
  readonly time_us: number;
  readonly file: string;
  /** null: the file is not there. */
  readonly bytes: number | null;
  readonly size_px: readonly [width: number, height: number] | null;
  readonly pose_token: string;
}

/** The measurements of one sensor in a scene, in the order of their times. */
export interface Channel {
  readonly name: string;
  readonly mount: Mount;
  readonly measurements: readonly Measurement[];
}

/** Reads the records of one scene again, and sorts them by sensor and time. */
export async function readChannels(
  tree: SourceTree,
  path: string,
  places: readonly RecordPlace[],
  mounts: ReadonlyMap<string, Mount>,
): Promise<Channel[]> {
  const channels = new Map<string, { mount: Mount; measurements: Measurement[] }>();
  await using file = await tree.openFile(path);
  const window = new FileWindow(file, tree.entry(path)?.bytes ?? 0);
  for (const { offset, bytes } of places) {
    const record = parseRecord(await window.read(offset, bytes), path);
    const mount = record === null ? undefined : mounts.get(textOf(record, 'calibrated_sensor_token'));
    if (record === null || mount === undefined) continue;
    const [width, height] = [numberOf(record, 'width'), numberOf(record, 'height')];
    const name = textOf(record, 'filename');
    const own = channels.get(mount.channel) ?? { mount, measurements: [] };
    own.measurements.push({
      time_us: numberOf(record, 'timestamp'),
      file: name,
      bytes: tree.entry(name)?.bytes ?? null,
      size_px: width > 0 && height > 0 ? [width, height] : null,
      pose_token: textOf(record, 'ego_pose_token'),
    });
    channels.set(mount.channel, own);
  }
  return [...channels]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { mount, measurements }]) => ({
      name,
      mount,
      measurements: measurements.sort((a, b) => a.time_us - b.time_us),
    }));
}
