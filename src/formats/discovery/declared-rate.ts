import { type Clock, type Episode, recordedRoles, type Stream } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { mappingFiles, mappingKey } from '../mapped/mapping-files.ts';

/** A rate that a person says of recordings whose format keeps no times. */
export interface DeclaredRate {
  readonly hz: number;
  /** Where it was said: `--rate-hz`, `assay.map.yaml`. */
  readonly source: string;
}

const rateKey = /^\s*\{?\s*["']?rate_hz["']?\s*:/m;

/**
 * The rate in a mapping file that lies in the folder of recordings of any format and holds nothing else; null where
 * there is none. Throws `unreadable_input`, naming the lines that do not fit.
 */
export async function rateBeside(tree: SourceTree): Promise<DeclaredRate | null> {
  const path = mappingFiles.find((name) => tree.has(name));
  if (path === undefined) return null;
  const text = await tree.text(path, 64 * 1024);
  if (mappingKey.test(text) || !rateKey.test(text)) return null;
  const { parseRate } = await import('../shared/parse-rate.ts');
  return { hz: parseRate(text, path), source: path };
}

/**
 * The episode with a clock for its streams, step / rate, where its format keeps none and nothing else gave it one. Such
 * a clock proves nothing about capture. What was declared is noted on every episode, used or not.
 */
export function withDeclaredRate(episode: Episode, { hz, source }: DeclaredRate): Episode {
  const note = (used: boolean) => ({ hz, source, used });
  const clocked = episode.streams.some(({ clock }) => clock !== null);
  const steps = stepsOf(episode.streams);
  if (episode.clockless === undefined || clocked || steps === 0)
    return { ...episode, declared_rate: note(false) };
  const name = `step / ${hz} Hz`;
  const clock: Clock = {
    name,
    provenance: 'synthesised',
    time_s: Float64Array.from({ length: steps }, (_, step) => step / hz),
  };
  const reason = `${episode.clockless}; ${name} stands in, declared by ${source}`;
  return {
    ...episode,
    declared_rate: note(true),
    duration_s: steps / hz,
    streams: episode.streams.map((stream) => clockedBy(stream, clock, hz, reason)),
  };
}

/** Steps of the episode: samples of its first action or state, else of the longest stream that follows it. */
function stepsOf(streams: readonly Stream[]): number {
  const main = streams.find(({ role }) => role === 'action') ?? streams.find(({ role }) => role === 'state');
  if (main !== undefined) return main.sample_count;
  return streams.reduce(
    (most, { role, sample_count }) => (recordedRoles.has(role) ? Math.max(most, sample_count) : most),
    0,
  );
}

/** A stream with more samples than there are steps, and a video of its own pace, get no clock. */
function clockedBy(stream: Stream, clock: Clock, hz: number, reason: string): Stream {
  const { sample_count, frames } = stream;
  if (sample_count > clock.time_s.length || frames?.locator.type === 'video') return stream;
  const time_s = sample_count === clock.time_s.length ? clock.time_s : clock.time_s.subarray(0, sample_count);
  const kept = frames?.kept?.map((picture) => ({ ...picture, time_s: picture.index / hz }));
  return {
    ...stream,
    declared_rate_hz: hz,
    clocks: [{ ...clock, time_s }],
    clock: { index: 0, reason },
    ...(frames === undefined || kept === undefined ? {} : { frames: { ...frames, kept } }),
  };
}
