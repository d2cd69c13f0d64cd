import type { Episode } from '#core/episode';
import { replaceStreams, streamsOf, withValues } from '../faults/edit.ts';
import type { SetTwin } from './twin.ts';

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
