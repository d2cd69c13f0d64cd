import type { Episode, StreamRole } from '#core/episode';
import { busiestWindow, rateOf, replaceStreams, streamsOf, timeOfRow, withValues } from '../edit.ts';
import type { FaultSize, Planted } from '../fault.ts';

const shares = { small: 0.15, medium: 0.4, large: 1 } as const;

/** Holds the first stream of a role still while the rest of the robot moves: at least half a second. */
export function freeze(episode: Episode, role: StreamRole, size: FaultSize): Planted | null {
  const [stream] = streamsOf(episode, role);
  if (stream === undefined || stream.sample_count < 60) return null;
  const least = Math.ceil(rateOf(stream) * 0.5);
  const length = Math.min(
    stream.sample_count,
    Math.max(least, Math.round(stream.sample_count * shares[size])),
  );
  const first = busiestWindow(stream, length);
  const changed = withValues(stream, (values, dims) => {
    const held = values.slice(first * dims, (first + 1) * dims);
    for (let row = first + 1; row < first + length; row++) values.set(held, row * dims);
  });
  const mark = {
    stream: stream.id,
    from_s: timeOfRow(stream, first),
    to_s: timeOfRow(stream, first + length - 1),
  };
  return { episode: replaceStreams(episode, [changed]), marks: [mark] };
}
