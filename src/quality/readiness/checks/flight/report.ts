import { armedSpans, type Episode, type Event } from '#core/episode';
import type { Aspect } from '../../check.ts';
import type { Spans } from '../../features/motion.ts';
import { plain } from '../../features/plain.ts';

/** Something of one family that the autopilot reported, or that its outputs show, with its times in flight. */
export type Report = {
  readonly flag: string;
  /** Topic that it was told in. */
  readonly stream: string;
  readonly count: number;
  /** What it was, in the autopilot's words. */
  readonly what: string;
  readonly spans_s: Spans;
};

/** Something that was so from one time to another. */
export interface Told {
  readonly what: string;
  readonly from_s: number;
  readonly to_s: number;
}

const mostListed = 16;
const mostNamed = 4;

/** One report of what was told while the aircraft was armed; null: nothing was. */
export function reportOf(
  flag: string,
  stream: string,
  told: readonly Told[],
  { events, duration_s }: Pick<Episode, 'events' | 'duration_s'>,
): Report | null {
  const flights = armedSpans(events, duration_s);
  const inFlight = (one: Told): boolean =>
    flights === null || flights.some(([from_s, to_s]) => one.from_s <= to_s && one.to_s >= from_s);
  const own = told.filter(inFlight).toSorted((a, b) => a.from_s - b.from_s);
  if (own.length === 0) return null;
  const names = [...new Set(own.map(({ what }) => what))];
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return {
    flag,
    stream,
    count: own.length,
    what: names.slice(0, mostNamed).join(', ') + more,
    spans_s: own.slice(0, mostListed).map(({ from_s, to_s }) => [plain(from_s, 9), plain(to_s, 9)]),
  };
}

/** What was reported is certain: there is nothing to grade. */
export function reportAspect({ flag, stream, count, what, spans_s }: Report): Aspect {
  const [[first_s]] = spans_s;
  return {
    flag,
    score: 0,
    observed: count,
    message: () =>
      `${stream} says ${what}: ${count === 1 ? 'once' : `${count} times`}, first at ${plain(first_s, 4)} s`,
    marks: spans_s.map(([from_s, to_s]) => ({ stream, from_s, to_s })),
  };
}

/** ArduPilot's ERR messages of some subsystems, each up to where its code 0 takes it back or the recording ends. */
export function errorsOf(
  { events, duration_s }: Pick<Episode, 'events' | 'duration_s'>,
  subsystems: Readonly<Record<number, string>>,
): Told[] {
  const told: Told[] = [];
  const open = new Map<number, Event>();
  const close = (subsystem: number, to_s: number): void => {
    const begun = open.get(subsystem);
    if (begun === undefined) return;
    open.delete(subsystem);
    told.push({ what: subsystems[subsystem], from_s: begun.time_s, to_s });
  };
  for (const event of events) {
    if (event.source !== 'ERR') continue;
    const [, code, subsystem] = /^error (\d+) of subsystem (\d+)$/.exec(event.label) ?? [];
    if (subsystem === undefined || !Object.hasOwn(subsystems, Number(subsystem))) continue;
    if (code === '0') close(Number(subsystem), event.time_s);
    else if (!open.has(Number(subsystem))) open.set(Number(subsystem), event);
  }
  for (const subsystem of [...open.keys()]) close(subsystem, duration_s);
  return told;
}
