import type { Episode, StreamRole } from '#core/episode';
import {
  computeRanges,
  computeRate_hz,
  findBusiestWindow,
  pickMovingDimension,
  replaceStreams,
  signalsOf,
  streamsOf,
  timeOfRow,
  withValues,
} from './edit.ts';
import type { EpisodeFault, FaultSize, Planted, PlantedMark } from './fault.ts';

export const frozenState: EpisodeFault = {
  id: 'frozen_state',
  title: 'State frozen',
  about:
    'The encoder bus stops answering and the last reading is repeated: for 15, 40 or 100 % of the episode.',
  timeline: false,
  peers: 0,
  flags: ['state_frozen'],
  plants: 'episode',
  plant: (episode, size) => freeze(episode, 'state', size),
};

export const frozenAction: EpisodeFault = {
  id: 'frozen_action',
  title: 'Action frozen',
  about:
    'The leader stops sending and the recorder repeats its last command: for 15, 40 or 100 % of the episode.',
  timeline: false,
  peers: 0,
  flags: ['action_frozen'],
  plants: 'episode',
  plant: (episode, size) => freeze(episode, 'action', size),
};

const frozenShares = { small: 0.15, medium: 0.4, large: 1 } as const;

/**
 * Freezes the first stream of a role at least 0.5 s, where it moves most. `null` if there is none or it has fewer than
 * 60 samples.
 */
function freeze(episode: Episode, role: StreamRole, size: FaultSize): Planted | null {
  const [stream] = streamsOf(episode, role);
  if (stream === undefined || stream.sample_count < 60) return null;
  const minRows = Math.ceil(computeRate_hz(stream) * 0.5);
  const length = Math.min(
    stream.sample_count,
    Math.max(minRows, Math.round(stream.sample_count * frozenShares[size])),
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

const jumpShareOfRange = { small: 0.25, medium: 0.5, large: 1 } as const;

export const jump: EpisodeFault = {
  id: 'jump',
  title: 'Jump',
  about:
    'A bit error or a wrapped angle: one joint jumps by 25, 50 or 100 % of its range for one or two samples.',
  timeline: false,
  peers: 0,
  flags: ['signal_jump'],
  plants: 'episode',
  plant(episode, size, random) {
    const [stream] = streamsOf(episode, 'state');
    if (stream === undefined || stream.sample_count < 60) return null;
    const dimension = pickMovingDimension(stream, random);
    if (dimension === null) return null;
    const height = computeRanges(stream)[dimension] * jumpShareOfRange[size] * (random.next() < 0.5 ? -1 : 1);
    const length = random.integer(1, 2);
    const first = random.integer(10, stream.sample_count - 12);
    const changed = withValues(stream, (values, dims) => {
      for (let row = first; row < first + length; row++) values[row * dims + dimension] += height;
    });
    const mark = {
      stream: stream.id,
      from_s: timeOfRow(stream, first - 1),
      to_s: timeOfRow(stream, first + length),
      dimension,
    };
    return { episode: replaceStreams(episode, [changed]), marks: [mark] };
  },
};

const spikeCounts = { small: 3, medium: 8, large: 20 } as const;

export const spikes: EpisodeFault = {
  id: 'spikes',
  title: 'Repeated spikes',
  about:
    'A bus with bad contacts: 3, 8 or 20 single samples of one joint, measured or commanded, are off by 25 to 100 % of its range.',
  timeline: false,
  peers: 0,
  flags: ['signal_jump'],
  plants: 'episode',
  plant(episode, size, random) {
    const stream = random.pick(signalsOf(episode));
    if (stream === undefined || stream.sample_count < 120) return null;
    const dimension = pickMovingDimension(stream, random);
    if (dimension === null) return null;
    const range = computeRanges(stream)[dimension];
    const slot = Math.floor((stream.sample_count - 20) / spikeCounts[size]);
    const rows = Array.from(
      { length: spikeCounts[size] },
      (_, i) => 10 + i * slot + random.integer(0, Math.max(0, slot - 3)),
    );
    const changed = withValues(stream, (values, dims) => {
      for (const row of rows) {
        const height = range * random.between(0.25, 1) * (random.next() < 0.5 ? -1 : 1);
        values[row * dims + dimension] += height;
      }
    });
    const marks = rows.map(
      (row): PlantedMark => ({
        stream: stream.id,
        from_s: timeOfRow(stream, row - 1),
        to_s: timeOfRow(stream, row + 1),
        dimension,
      }),
    );
    return { episode: replaceStreams(episode, [changed]), marks };
  },
};

const chatterSizes = {
  small: { shareOfRange: 0.03, shareOfRows: 0.3 },
  medium: { shareOfRange: 0.06, shareOfRows: 0.5 },
  large: { shareOfRange: 0.12, shareOfRows: 0.9 },
} as const;

export const chatter: EpisodeFault = {
  id: 'chatter',
  title: 'Chatter',
  about:
    'A control loop oscillates: one joint alternates by 3, 6 or 12 % of its range from sample to sample, for 30, 50 or 90 % of the episode.',
  timeline: false,
  peers: 0,
  flags: ['signal_chatter'],
  plants: 'episode',
  plant(episode, size, random) {
    const stream = random.pick([...streamsOf(episode, 'state'), ...streamsOf(episode, 'action')]);
    if (stream === undefined || stream.sample_count < 60) return null;
    const dimension = pickMovingDimension(stream, random);
    if (dimension === null) return null;
    const { shareOfRange, shareOfRows } = chatterSizes[size];
    const length = Math.round(stream.sample_count * shareOfRows);
    const first = findBusiestWindow(stream, length);
    const swing = computeRanges(stream)[dimension] * shareOfRange;
    const changed = withValues(stream, (values, dims) => {
      for (let row = first; row < first + length; row++) {
        values[row * dims + dimension] += (row % 2 === 0 ? 1 : -1) * swing * (0.8 + 0.4 * random.next());
      }
    });
    const mark = {
      stream: stream.id,
      from_s: timeOfRow(stream, first),
      to_s: timeOfRow(stream, first + length - 1),
      dimension,
    };
    return { episode: replaceStreams(episode, [changed]), marks: [mark] };
  },
};

/** Share of the samples that are clipped to the limit. */
const saturationShares = { small: 0.25, medium: 0.4, large: 0.6 } as const;

export const saturation: EpisodeFault = {
  id: 'saturation',
  title: 'Action at its limit',
  about:
    'A clipped command: one joint spends 25, 40 or 60 % of the episode exactly at a limit that it would otherwise exceed.',
  timeline: false,
  peers: 0,
  flags: ['signal_saturated'],
  plants: 'episode',
  plant(episode, size, random) {
    const [action] = streamsOf(episode, 'action');
    if (action?.series === undefined || action.sample_count < 60) return null;
    const dimension = pickMovingDimension(action, random);
    if (dimension === null) return null;
    const { dims, values } = action.series;
    const column = Float64Array.from(
      { length: action.sample_count },
      (_, row) => values[row * dims + dimension],
    ).sort();
    const upper = random.next() < 0.5;
    const limit =
      column[Math.floor((upper ? 1 - saturationShares[size] : saturationShares[size]) * (column.length - 1))];
    const cut = (value: number) => (upper ? Math.min(value, limit) : Math.max(value, limit));
    const changed = withValues(action, (copy) => {
      for (let i = dimension; i < copy.length; i += dims) copy[i] = cut(copy[i]);
    });
    return {
      episode: replaceStreams(episode, [changed]),
      marks: [{ stream: action.id, from_s: 0, to_s: episode.duration_s, dimension }],
    };
  },
};

const nanRows = { small: 1, medium: 4, large: 40 } as const;

export const notANumber: EpisodeFault = {
  id: 'nan',
  title: 'NaN values',
  about:
    'A driver wrote NaN: one value, 4 rows or 40 rows of one dimension. A single NaN is enough to break a training batch.',
  timeline: false,
  peers: 0,
  flags: ['non_finite_values'],
  plants: 'episode',
  plant(episode, size, random) {
    const stream = random.pick(signalsOf(episode));
    if (stream?.series === undefined || stream.sample_count < 60) return null;
    const { dims } = stream.series;
    const dimension = random.integer(0, dims - 1);
    const count = nanRows[size];
    const first = random.integer(5, stream.sample_count - count - 5);
    const changed = withValues(stream, (values) => {
      for (let row = first; row < first + count; row++) values[row * dims + dimension] = Number.NaN;
    });
    const mark = {
      stream: stream.id,
      from_s: timeOfRow(stream, first),
      to_s: timeOfRow(stream, first + count),
      dimension,
    };
    return { episode: replaceStreams(episode, [changed]), marks: [mark] };
  },
};
