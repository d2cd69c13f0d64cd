import { picturesLeftOut } from '#core/episode';
import type { Subject } from './check.ts';
import { flightFacts } from './checks/flight/flight-health.ts';

/** What was not evaluated of this episode, so that nobody takes silence for a pass. */
export function limitsOf(subject: Subject): string[] {
  const limits: string[] = [];
  const { clockless, declared_rate } = subject.episode;
  if (clockless !== undefined) {
    const rate = declared_rate?.used === true ? ', the declared rate is taken on trust' : '';
    limits.push(`capture times: ${clockless}: pauses, losses and lags of the recorder cannot be seen${rate}`);
  }
  for (const stream of subject.episode.streams) {
    if (stream.frames !== undefined) addCamera(stream.id, subject, limits);
    else if (stream.modality === 'opaque') limits.push(`${stream.id}: contents were not read`);
  }
  if (subject.kind === 'aerial-flight') addFlight(subject, limits);
  return limits;
}

/** Silence about power and position is no word that they were sound. */
function addFlight(subject: Subject, limits: string[]): void {
  const flight = flightFacts(subject);
  if ((flight?.battery ?? null) === null) limits.push('power: no battery voltage was recorded in flight');
  if ((flight?.satellites.length ?? 0) === 0)
    limits.push('satellite fix: no receiver recorded how good its fix was in flight');
}

function addCamera(id: string, subject: Subject, limits: string[]): void {
  const evidence = subject.cameras.get(id);
  if (evidence === undefined || evidence.decodable === 'not_measured') {
    limits.push(
      `${id}: ${evidence?.reason === picturesLeftOut ? picturesLeftOut : 'pictures were not decoded'}`,
    );
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
