import type { Random } from '#core';
import type { Episode, Stream } from '#core/episode';
import {
  computeRanges,
  conventionStreams,
  pickMovingDimension,
  replaceStreams,
  streamsOf,
  withValues,
} from './edit.ts';
import type { EpisodeFault, Planted } from './fault.ts';

const jointOffsetShareOfRange = { small: 0.1, medium: 0.25, large: 0.6 } as const;

export const jointOffset: EpisodeFault = {
  id: 'joint_offset',
  title: 'Wrong joint calibration',
  about:
    'The arm was recalibrated with one joint off: all readings of that joint are shifted by 10, 25 or 60 % of its range.',
  timeline: false,
  peers: 8,
  flags: ['joint_offset'],
  plants: 'episode',
  plant(episode, size, random) {
    return offsetJoint(episode, jointOffsetShareOfRange[size], random);
  },
};

const encoderOffsetShareOfRange = { small: 0.05, medium: 0.08, large: 0.12 } as const;

export const encoderOffset: EpisodeFault = {
  id: 'encoder_offset',
  title: 'Small encoder offset',
  about:
    'An encoder lost some counts: the readings of one joint are shifted by 5, 8 or 12 % of its range in one episode.',
  timeline: false,
  peers: 8,
  flags: ['joint_offset'],
  plants: 'episode',
  plant(episode, size, random) {
    const isCommanded = streamsOf(episode, 'action').length > 0;
    return isCommanded ? offsetJoint(episode, encoderOffsetShareOfRange[size], random) : null;
  },
};

/** Offsets one joint of the state by a share of its range over the whole episode; `null` if no joint moves. */
function offsetJoint(episode: Episode, shareOfRange: number, random: Random): Planted | null {
  const [state] = streamsOf(episode, 'state');
  if (state === undefined) return null;
  const dimension = pickMovingDimension(state, random);
  if (dimension === null) return null;
  const offset = computeRanges(state)[dimension] * shareOfRange * (random.next() < 0.5 ? -1 : 1);
  const changed = withValues(state, (values, dims) => {
    for (let i = dimension; i < values.length; i += dims) values[i] += offset;
  });
  const marks = [{ stream: state.id, from_s: 0, to_s: episode.duration_s, dimension }];
  return { episode: replaceStreams(episode, [changed]), marks };
}

export const flippedJoint: EpisodeFault = {
  id: 'flipped_joint',
  title: 'Flipped joint',
  about:
    'A motor was mounted or configured in reverse for one episode: the sign of one joint is flipped in state and action (small), in the action alone (medium) or in the state alone (large).',
  timeline: false,
  peers: 8,
  flags: ['joint_flipped'],
  plants: 'episode',
  plant(episode, size, random) {
    const streams = conventionStreams(episode, size);
    if (streams === null) return null;
    const { state, affected } = streams;
    const dimension = pickMovingDimension(state, random);
    if (dimension === null) return null;
    const changed = affected.map((stream) =>
      withValues(stream, (values, dims) => {
        for (let i = dimension; i < values.length; i += dims) values[i] = -values[i];
      }),
    );
    const marks = affected.map(({ id }) => ({ stream: id, from_s: 0, to_s: episode.duration_s, dimension }));
    return { episode: replaceStreams(episode, changed), marks };
  },
};

export const exchangedColumns: EpisodeFault = {
  id: 'exchanged_columns',
  title: 'Two joints swapped',
  about:
    'The joint order differs in one episode: two joints are swapped in state and action (small), in the action only (medium) or in the state only (large).',
  timeline: false,
  peers: 8,
  flags: ['joints_exchanged'],
  plants: 'episode',
  plant(episode, size, random) {
    const streams = conventionStreams(episode, size);
    if (streams === null) return null;
    const { state, affected } = streams;
    const one = pickMovingDimension(state, random);
    let other = one;
    for (let tries = 0; tries < 20 && other === one; tries++) other = pickMovingDimension(state, random);
    if (one === null || other === null || other === one) return null;
    const changed = affected.map((stream) => exchangeColumns(stream, one, other));
    const marks = affected.flatMap(({ id }) =>
      [one, other].map((dimension) => ({ stream: id, from_s: 0, to_s: episode.duration_s, dimension })),
    );
    return { episode: replaceStreams(episode, changed), marks };
  },
};

function exchangeColumns(stream: Stream, one: number, other: number): Stream {
  return withValues(stream, (values, dims) => {
    for (let row = 0; row < values.length; row += dims)
      [values[row + one], values[row + other]] = [values[row + other], values[row + one]];
  });
}

const gripperScaleFactors = { small: 100, medium: 255, large: 1000 } as const;

export const gripperScale: EpisodeFault = {
  id: 'gripper_scale',
  title: 'Different gripper scale',
  about:
    'The gripper of one episode is recorded on a different scale: 100, 255 or 1000 times larger or smaller than in the others.',
  timeline: false,
  peers: 8,
  flags: ['gripper_convention_differs'],
  plants: 'episode',
  plant(episode, size) {
    const gripping = [...streamsOf(episode, 'state'), ...streamsOf(episode, 'action')].filter(
      (stream) => gripperOf(stream) >= 0,
    );
    if (gripping.length === 0) return null;
    const largestValue = largestGripperValue(gripping[0]);
    if (!(largestValue > 0)) return null;
    const factor = largestValue > 10 ? 1 / gripperScaleFactors[size] : gripperScaleFactors[size];
    const changed = gripping.map((stream) =>
      withValues(stream, (values, dims) => {
        for (let at = gripperOf(stream); at < values.length; at += dims) values[at] *= factor;
      }),
    );
    const grippers = episode.grippers.map((gripper) => ({
      ...gripper,
      range_observed: [gripper.range_observed[0] * factor, gripper.range_observed[1] * factor] as const,
    }));
    return { episode: { ...replaceStreams(episode, changed), grippers }, marks: [] };
  },
};

const gripperOf = ({ names }: Stream): number => names?.findIndex((name) => /gripper/i.test(name)) ?? -1;

function largestGripperValue(stream: Stream): number {
  const { values, dims } = stream.series!;
  let most = 0;
  for (let at = gripperOf(stream); at < values.length; at += dims)
    most = Math.max(most, Math.abs(values[at]));
  return most;
}

export const unitChange: EpisodeFault = {
  id: 'unit_change',
  title: 'Different units',
  about:
    'Degrees where the other episodes have radians, or the reverse: for the second half of the episode, for the whole episode, or for the state only.',
  timeline: false,
  peers: 8,
  flags: ['unit_change', 'unit_drift', 'unit_mismatch'],
  plants: 'episode',
  plant(episode, size) {
    const [state] = streamsOf(episode, 'state');
    const [action] = streamsOf(episode, 'action');
    if (state === undefined) return null;
    const factor = Math.max(...computeRanges(state)) > 7 ? Math.PI / 180 : 180 / Math.PI;
    const fromShare = size === 'small' ? 0.5 : 0;
    const touched = size === 'large' || action === undefined ? [state] : [state, action];
    return {
      episode: replaceStreams(
        episode,
        touched.map((stream) => scaleFrom(stream, factor, fromShare)),
      ),
      marks: touched.map((stream) => ({
        stream: stream.id,
        from_s: episode.duration_s * fromShare,
        to_s: episode.duration_s,
      })),
    };
  },
};

function scaleFrom(stream: Stream, factor: number, fromShare: number): Stream {
  const first = Math.floor(stream.sample_count * fromShare);
  return withValues(stream, (values, dims) => {
    for (let row = first; row < stream.sample_count; row++) {
      for (let dim = 0; dim < dims; dim++)
        if (!/grip|jaw|claw/i.test(stream.names?.[dim] ?? '')) values[row * dims + dim] *= factor;
    }
  });
}
