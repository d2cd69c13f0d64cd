import type { Random } from '#core';
import type { Episode, Stream } from '#core/episode';
import { computeRate_hz, replaceStreams, streamsOf, withValues } from '../faults/edit.ts';
import type { EpisodeTwin, SetTwin } from './twin.ts';

export const gripperPartlyUsed: SetTwin = {
  id: 'gripper_partly_used',
  title: 'Gripper opens only as far as the object needs',
  about: 'The scale is 0..1 throughout; every fourth episode uses only its lower 15 %.',
  resembles: ['gripper_convention_differs', 'unit_drift', 'gripper_idle'],
  of: 'set',
  vary(episodes) {
    const named = (episode: Episode) =>
      [...streamsOf(episode, 'state'), ...streamsOf(episode, 'action')].filter(({ names }) =>
        names?.some((name) => /gripper/i.test(name)),
      );
    if (episodes.some((episode) => named(episode).length === 0)) return null;
    return episodes.map((episode, i) => {
      const reach = i % 4 === 3 ? 0.15 : 1;
      const changed = named(episode).map((stream) =>
        withValues(stream, (values, dims) => {
          const d = stream.names!.findIndex((name) => /gripper/i.test(name));
          let largestValue = 0;
          for (let at = d; at < values.length; at += dims)
            largestValue = Math.max(largestValue, Math.abs(values[at]));
          for (let at = d; at < values.length; at += dims)
            values[at] = (reach * values[at]) / (largestValue || 1);
        }),
      );
      const grippers = episode.grippers.map((gripper) => ({
        ...gripper,
        unit: 'unknown',
        open_value: null,
        range_observed: [0, reach] as const,
      }));
      return { ...replaceStreams(episode, changed), grippers };
    });
  },
};

/** Common gripper scales: 0 to 1, per cent, LeRobot's, metres, bytes. */
const gripperScales = [
  [0, 1],
  [0, 100],
  [-100, 100],
  [0, 0.04],
  [0, 255],
] as const;

export const gripperStep: SetTwin = {
  id: 'gripper_step',
  title: 'Gripper that opens and closes in one step',
  about:
    'In every episode the gripper is commanded from one end of its scale to the other in one row and follows within 0.3 s; the scale is 0..1, 0..100, −100..100, 0..0.04 or 0..255.',
  resembles: [
    'signal_jump',
    'gripper_idle',
    'gripper_out_of_range',
    'gripper_chatter',
    'gripper_not_following',
  ],
  of: 'set',
  vary(episodes, random) {
    if (episodes.some((episode) => streamsOf(episode, 'state').every((s) => gripperOf(s) < 0))) return null;
    const scale = random.pick(gripperScales);
    return episodes.map((episode) => stepGripper(episode, scale, random));
  },
};

const gripperOf = ({ names }: Stream): number => names?.findIndex((name) => /gripper/i.test(name)) ?? -1;

function stepGripper(episode: Episode, [closed, open]: readonly [number, number], random: Random): Episode {
  const streams = [...streamsOf(episode, 'state'), ...streamsOf(episode, 'action')].filter(
    (stream) => gripperOf(stream) >= 0,
  );
  const places = [random.between(0.1, 0.2), random.between(0.4, 0.5), random.between(0.7, 0.8)];
  const commandAt = (share: number) =>
    places.filter((place) => share >= place).length % 2 === 0 ? closed : open;
  const changed = streams.map((stream) =>
    withValues(stream, (values, dims) => {
      const d = gripperOf(stream);
      const rows = stream.sample_count;
      const gain = stream.role === 'action' ? 1 : 1 / (0.1 * computeRate_hz(stream));
      let at = closed;
      for (let row = 0; row < rows; row++) {
        at += Math.min(1, gain) * (commandAt(row / rows) - at);
        values[row * dims + d] = at;
      }
    }),
  );
  const grippers = episode.grippers.map((gripper) => ({
    ...gripper,
    unit: 'unknown',
    open_value: null,
    range_observed: [closed, open] as const,
  }));
  return { ...replaceStreams(episode, changed), grippers };
}

export const gripperUnused: EpisodeTwin = {
  id: 'gripper_unused',
  title: 'Unused gripper',
  about: 'The task is to push or to wipe: the gripper does not move in the whole episode.',
  resembles: ['gripper_idle', 'gripper_not_following', 'joint_stuck'],
  of: 'episode',
  vary(episode) {
    const streams = [...streamsOf(episode, 'state'), ...streamsOf(episode, 'action')].filter(({ names }) =>
      names?.some((name) => /gripper/i.test(name)),
    );
    if (streams.length === 0) return null;
    const changed = streams.map((stream) =>
      withValues(stream, (values, dims) => {
        const d = stream.names!.findIndex((name) => /gripper/i.test(name));
        for (let at = d + dims; at < values.length; at += dims) values[at] = values[d];
      }),
    );
    return replaceStreams(episode, changed);
  },
};
