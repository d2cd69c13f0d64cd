import type { Event } from './episode.ts';

/** Event labels that readers of flight logs use for arming and disarming, so that flying can be told from waiting. */
export const armedLabel = 'armed';
export const disarmedLabel = 'disarmed';

/**
 * Returns the spans [from_s, to_s] in which the aircraft was armed, in order of time, the last up to `until_s` if no
 * disarm event ends it; `null` without arm and disarm events. A disarm event before the first arm event is ignored.
 */
export function armedSpans(
  events: readonly Event[],
  until_s: number,
): readonly (readonly [number, number])[] | null {
  const changes = events
    .filter(({ label }) => label === armedLabel || label === disarmedLabel)
    .toSorted((a, b) => a.time_s - b.time_s);
  if (changes.length === 0) return null;
  const spans: [number, number][] = [];
  let since_s: number | null = null;
  for (const { time_s, label } of changes) {
    if (label === armedLabel) since_s ??= time_s;
    else if (since_s !== null) {
      spans.push([since_s, time_s]);
      since_s = null;
    }
  }
  if (since_s !== null) spans.push([since_s, Math.max(since_s, until_s)]);
  return spans;
}
