import { type Episode, type Stream, unknownOutcome } from '#core/episode';
import { epoch_ns } from './logged-time.ts';

export interface LoggedEpisodeOptions {
  readonly id: string;
  readonly index: number;
  /** Seconds between the starts of consecutive recordings. */
  readonly every_s: number;
  readonly duration_s: number;
  readonly streams: readonly Stream[];
  readonly robot: string;
  /** Task text, published on `/task`; `null` if there is none. */
  readonly task: string | null;
}

/** Builds an episode that is recorded as a separate MCAP file. */
export function loggedEpisode(options: LoggedEpisodeOptions): Episode {
  const { id, index, every_s, duration_s, streams, robot, task } = options;
  return {
    id,
    index,
    locator: { format: 'mcap', path: `${id}.mcap` },
    sources: [],
    start_ns: String(epoch_ns + BigInt(index) * BigInt(every_s) * 1_000_000_000n),
    duration_s,
    streams,
    events: [],
    tasks: task === null ? null : [{ text: task, source: '/task' }],
    outcome: unknownOutcome,
    robot,
    calibrations: [],
    grippers: [],
    labels: null,
    findings: [],
  };
}
