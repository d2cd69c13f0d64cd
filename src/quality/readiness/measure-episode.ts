import type { Kind } from '#core/episode';
import type { Check, CheckId, Measured, Subject } from './check.ts';
import { checks } from './check-registry.ts';

/** What every check measured of one episode: plain JSON, a few kilobytes, all that judging needs. */
export type Measurements = Readonly<Partial<Record<CheckId, Measured>>>;

/** Measures every registered check. The episode's arrays are not needed afterwards. */
export function measureEpisode(subject: Subject): Measurements {
  const measurements: Partial<Record<CheckId, Measured>> = {};
  for (const check of checks) measurements[check.id] = measureOne(check, subject);
  return measurements;
}

function measureOne(check: Check, subject: Subject): Measured {
  if (!check.kinds.includes(subject.kind)) return notForKind(subject.kind);
  return check.measure(subject);
}

const notForKindByKind = new Map<Kind, Measured>();

function notForKind(kind: Kind): Measured {
  let measured = notForKindByKind.get(kind);
  if (measured === undefined) {
    measured = { status: 'inapplicable', reason: `does not apply to ${kind} recordings` };
    notForKindByKind.set(kind, measured);
  }
  return measured;
}
