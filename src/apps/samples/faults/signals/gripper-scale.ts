import type { Stream } from '#core/episode';
import { replaceStreams, streamsOf, withValues } from '../edit.ts';
import type { EpisodeFault } from '../fault.ts';

const factors = { small: 100, medium: 255, large: 1000 } as const;

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
    const factor = largestValue > 10 ? 1 / factors[size] : factors[size];
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
