import type { Episode, StreamRole } from '#core/episode';
import {
  computeRate_hz,
  findBusiestWindow,
  replaceStreams,
  streamsOf,
  timeOfRow,
  withValues,
} from '../edit.ts';
import type { FaultSize, Planted } from '../fault.ts';

const shares = { small: 0.15, medium: 0.4, large: 1 } as const;

/**
 * Freezes the first stream of a role at least 0.5 s, where it moves most. `null` if there is none or it has fewer than
 * 60 samples.
 */
export function freeze(episode: Episode, role: StreamRole, size: FaultSize): Planted | null {
  const [stream] = streamsOf(episode, role);
  if (stream === undefined || stream.sample_count < 60) return null;
  const minRows = Math.ceil(computeRate_hz(stream) * 0.5);
  const length = Math.min(
    stream.sample_count,
    Math.max(minRows, Math.round(stream.sample_count * shares[size])),
  );
  const first = findBusiestWindow(stream, length);
  const changed = withValues(stream, (values, dims) => {
    const frozenRow = values.slice(first * dims, (first + 1) * dims);
    for (let row = first + 1; row < first + length; row++) values.set(frozenRow, row * dims);
  });
  const mark = {
    stream: stream.id,
    from_s: timeOfRow(stream, first),
    to_s: timeOfRow(stream, first + length - 1),
  };
  return { episode: replaceStreams(episode, [changed]), marks: [mark] };
}
