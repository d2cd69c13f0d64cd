import { replaceStreams, streamsOf, withValues } from '../faults/edit.ts';
import type { EpisodeTwin } from './twin.ts';

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
