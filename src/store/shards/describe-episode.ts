import type { Calibration, Frames, Stream } from '#core/episode';
import type { ShardArray, ShardEpisode, ShardStream } from './shard-layout.ts';

type Numbers = Float32Array | Float64Array;

/** An array to be stored; `clock` has its pieces stamped. */
export interface StoredArray extends ShardArray {
  readonly values: Numbers;
  readonly is_clock: boolean;
}

export interface DescribedEpisode {
  readonly about: ShardEpisode;
  readonly arrays: readonly StoredArray[];
}

/** Lists an episode's arrays, one that streams share once, and says which stream has which. */
export function describeEpisode(
  name: string,
  streams: readonly Stream[],
  calibrations: readonly Calibration[],
): DescribedEpisode {
  const arrays: StoredArray[] = [];
  const known = new Map<Numbers, number>();
  const placeOf = (values: Numbers, dims: number, is_clock: boolean): number => {
    let place = known.get(values);
    if (place === undefined) {
      place = arrays.length;
      const type = values instanceof Float32Array ? 'float32' : 'float64';
      arrays.push({ type, dims, rows: dims === 0 ? 0 : values.length / dims, values, is_clock });
      known.set(values, place);
    }
    return place;
  };
  const about = streams.map((stream): ShardStream => {
    const { id, role, modality, shape, names, unit, declared_rate_hz, sample_count, clock, series } = stream;
    return {
      ...{ id, role, modality, shape, names, unit, declared_rate_hz, sample_count, clock },
      ...(stream.frames === undefined ? {} : { frames: located(stream.frames) }),
      values: series === undefined ? null : placeOf(series.values, series.dims, false),
      clocks: stream.clocks.map(({ name, provenance, time_s }) => ({
        ...{ name, provenance },
        times: placeOf(time_s, 1, true),
      })),
    };
  });
  const plain = arrays.map(({ type, dims, rows }) => ({ type, dims, rows }));
  const said = calibrations.length === 0 ? {} : { calibrations };
  return { about: { name, arrays: plain, streams: about, ...said }, arrays };
}

/** Pictures stay where they are: what a reader kept of them for measuring is left out. */
const located = ({
  locator,
  declared_size_px,
  declared_codec,
}: Frames): NonNullable<ShardStream['frames']> => ({
  locator,
  declared_size_px,
  declared_codec,
});
