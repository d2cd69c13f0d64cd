import type { Event } from './episode.ts';

/** Labels that readers of flight logs give to the autopilot's arming, so that flights can be told from waiting. */
export const armedLabel = 'armed';
export const disarmedLabel = 'disarmed';

/**
 * Spans in seconds in which the aircraft was armed, by its events; the last one ends at `until_s` where nothing ends
 * it. Null: the recording says nothing of arming.
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
