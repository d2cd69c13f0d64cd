import { type Clock, type Episode, recordedRoles, type Stream } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { mappingFiles, mappingKey } from '../mapped/mapping-files.ts';

/** A rate declared by the user for recordings without timestamps. */
export interface DeclaredRate {
  readonly hz: number;
  /** Source of the declaration: `--rate-hz` or `assay.map.yaml`. */
  readonly source: string;
}

const rateKey = /^\s*\{?\s*["']?rate_hz["']?\s*:/m;

/**
 * Reads the rate from a mapping file in the folder that declares only a rate; `null` if there is no mapping file, or it
 * is a full mapping.
 * @throws AssayError `unreadable_input` naming the lines that do not fit.
 */
export async function readDeclaredRate(tree: SourceTree): Promise<DeclaredRate | null> {
  const path = mappingFiles.find((name) => tree.has(name));
  if (path === undefined) return null;
  const text = await tree.text(path, 64 * 1024);
  if (mappingKey.test(text) || !rateKey.test(text)) return null;
  const { parseDeclaredRate } = await import('../shared/text/checked-document.ts');
  return { hz: parseDeclaredRate(text, path), source: path };
}

/**
 * Returns the episode with the declared rate recorded on it and, if its format stores no times and no stream has a
 * clock, with a synthesised clock (step / rate). Such a clock is no evidence of capture times. `declared_rate.used`
 * says whether it was added.
 */
export function withDeclaredRate(episode: Episode, { hz, source }: DeclaredRate): Episode {
  const note = (used: boolean) => ({ hz, source, used });
  const clocked = episode.streams.some(({ clock }) => clock !== null);
  const steps = countSteps(episode.streams);
  if (episode.clockless === undefined || clocked || steps === 0)
    return { ...episode, declared_rate: note(false) };
  const name = `step / ${hz} Hz`;
  const clock: Clock = {
    name,
    provenance: 'synthesised',
    time_s: Float64Array.from({ length: steps }, (_, step) => step / hz),
  };
  const reason = `${episode.clockless}; ${name} is used instead, declared by ${source}`;
  return {
    ...episode,
    declared_rate: note(true),
    duration_s: steps / hz,
    streams: episode.streams.map((stream) => withClock(stream, clock, hz, reason)),
  };
}

/**
 * Returns the steps of the episode: the samples of its first action or state stream, else of its longest recorded
 * stream.
 */
function countSteps(streams: readonly Stream[]): number {
  const main = streams.find(({ role }) => role === 'action') ?? streams.find(({ role }) => role === 'state');
  if (main !== undefined) return main.sample_count;
  return streams.reduce(
    (most, { role, sample_count }) => (recordedRoles.has(role) ? Math.max(most, sample_count) : most),
    0,
  );
}

/**
 * Returns the stream with the clock; unchanged if it has more samples than steps, or is a video with its own timing.
 */
function withClock(stream: Stream, clock: Clock, hz: number, reason: string): Stream {
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
