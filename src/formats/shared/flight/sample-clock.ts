import type { Clock } from '#core/episode';

/** No sensor's reading is published later than this; what claims to be older was left from an earlier one. */
const longestLatency_s = 1;

/**
 * Says whether a second clock tells when the values of every row were measured: rising from row to row, and each stamp at
 * most a second before the row was published. A publisher may keep several readings and send them at once, and a logger
 * takes them when it comes round; only the time of measuring then shows the rate of the sensor.
 */
export function isSampleClock(sampled: Clock, published: Clock): boolean {
  const { time_s } = sampled;
  for (let row = 0; row < time_s.length; row++) {
    const latency_s = published.time_s[row] - time_s[row];
    if (!(latency_s >= 0 && latency_s <= longestLatency_s)) return false;
    if (row > 0 && !(time_s[row] > time_s[row - 1])) return false;
  }
  return time_s.length > 0;
}
