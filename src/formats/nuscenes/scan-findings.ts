import type { Finding } from '#core/episode';
import type { Channel, Measurement } from './measurements.ts';
import { nuScenesBreach } from './rules.ts';
import { damagedScans } from './streams.ts';

const numberBytes = 4;
const pointNumbers = 5;

/** The devkit drops what is less than a number, and takes an empty scan for one without points. */
const isCut = ({ bytes }: Measurement): boolean =>
  bytes !== null && Math.floor(bytes / numberBytes) % pointNumbers !== 0;

export function scanFindings(channel: Channel): Finding[] {
  const odd = damagedScans(channel);
  const [cut, damaged] = [odd.filter(isCut), odd.filter((scan) => !isCut(scan))];
  const scans = channel.measurements.length;
  const say = (some: readonly Measurement[], what: string) =>
    `${some.length} of ${scans} scans of ${channel.name} ${what} (${some[0].file}: ${some[0].bytes} bytes)`;
  const findings: Finding[] = [];
  if (cut.length > 0) {
    const evidence = { scans, cut: cut.length };
    findings.push(nuScenesBreach('nuscenes_scan_cut', cut[0].file, say(cut, 'end within a point'), evidence));
  }
  if (damaged.length > 0)
    findings.push({
      code: 'scans_damaged',
      severity: 'error',
      path: damaged[0].file,
      message: say(damaged, 'are empty or not a whole number of points'),
      advice: 'unpack the archive of this sensor again',
      evidence: { scans, damaged: damaged.length },
    });
  return findings;
}
