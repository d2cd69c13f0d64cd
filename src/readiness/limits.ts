import type { Subject } from './check.ts';

/** What was not evaluated of this episode, so that nobody takes silence for a pass. */
export function limitsOf(subject: Subject): string[] {
  const limits: string[] = [];
  for (const stream of subject.episode.streams) {
    if (stream.frames !== undefined) addCamera(stream.id, subject, limits);
    else if (stream.modality === 'opaque') limits.push(`${stream.id}: contents were not read`);
  }
  return limits;
}

function addCamera(id: string, subject: Subject, limits: string[]): void {
  const evidence = subject.cameras.get(id);
  if (evidence === undefined || evidence.decodable === 'not_measured') {
    limits.push(`${id}: pictures were not decoded`);
    return;
  }
  const frames = evidence.container?.frame_count ?? 0;
  const decoded = evidence.sampled.index.length;
  if (decoded > 0 && frames > decoded)
    limits.push(`${id}: exposure, sharpness and blankness from ${decoded} of ${frames} frames`);
  if (evidence.repeats.method === 'sampled')
    limits.push(
      `${id}: repeated frames looked for in ${evidence.repeats.pairs_compared} of ${frames - 1} pairs`,
    );
}
