import type { Finding } from '#core/episode';
import type { Camera } from './cameras.ts';
import type { EpisodeFolder } from './layout.ts';
import type { Metadata } from './metadata.ts';

/** What the folder of an episode should hold and does not. */
export function lacking(own: EpisodeFolder, cameras: readonly Camera[]): string[] {
  const lacks: string[] = [];
  if (own.trajectory === null) lacks.push('trajectory.h5');
  if (own.metadata === null) lacks.push('metadata_<uuid>.json');
  const blind = cameras.filter(({ video }) => video === null);
  if (blind.length > 0) {
    const named = blind.map(({ name, serial }) => (name === serial ? serial : `${name} (${serial})`));
    lacks.push(`recordings/MP4 of ${named.join(', ')}`);
  } else if (own.videos.size === 0) lacks.push('recordings/MP4');
  return lacks;
}

/** One finding a folder, whatever it lacks. */
export function incomplete({ folder, trajectory }: EpisodeFolder, lacks: readonly string[]): Finding {
  return {
    ...{ code: 'episode_incomplete', severity: 'error', path: folder === '' ? trajectory : folder },
    message: `the recording lacks ${lacks.join('; ')}`,
    advice:
      'copy the folder again; about a fifth of DROID raw is incomplete at its source, so leave it out if it stays so',
    evidence: { lacks: [...lacks] },
  };
}

export function lengthFindings(
  path: string,
  steps: number,
  uneven: readonly [string, number][],
  metadata: Metadata | null,
  metadataPath: string | null,
): Finding[] {
  const findings: Finding[] = [];
  if (uneven.length > 0) {
    const named = uneven.slice(0, 4).map(([id, rows]) => `${id} ${rows}`);
    findings.push({
      ...{ code: 'array_length_mismatch', severity: 'error', path },
      message: `there are ${steps} steps; not so: ${named.join(', ')}${uneven.length > 4 ? ', …' : ''}`,
      advice: 'leave the episode out, or cut every array to the rows they share',
      evidence: { steps, arrays: Object.fromEntries(uneven.slice(0, 20)) },
    });
  }
  const declared = metadata?.trajectory_length ?? null;
  if (declared !== null && declared !== steps) {
    findings.push({
      ...{ code: 'metadata_count_mismatch', severity: 'warning', path: metadataPath },
      message: `trajectory_length is ${declared}; trajectory.h5 holds ${steps} steps`,
      advice: 'copy trajectory.h5 again: it may have been cut off; or correct the metadata',
      evidence: { declared, found: steps },
    });
  }
  return findings;
}
