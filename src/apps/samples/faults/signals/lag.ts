import { computeRate_hz, replaceStreams, streamsOf, withValues } from '../edit.ts';
import type { EpisodeFault } from '../fault.ts';

const delay_s = { small: 0.17, medium: 0.34, large: 0.7 } as const;

export const lag: EpisodeFault = {
  id: 'lag',
  title: 'State and action out of sync',
  about:
    'State or action is buffered: its values arrive 0.17, 0.34 or 0.7 s (5, 10 or 20 frames at 30 Hz) late.',
  timeline: true,
  peers: 0,
  flags: ['action_state_lag', 'lag_drift'],
  plants: 'episode',
  plant(episode, size, random) {
    const [state] = streamsOf(episode, 'state');
    const [action] = streamsOf(episode, 'action');
    if (state === undefined || action === undefined) return null;
    const late = random.next() < 0.5 ? state : action;
    const rows = Math.round(delay_s[size] * computeRate_hz(late));
    if (rows * 3 > late.sample_count) return null;
    const changed = withValues(late, (values, dims) => {
      values.copyWithin(rows * dims, 0);
      for (let row = 0; row < rows; row++) values.copyWithin(row * dims, rows * dims, (rows + 1) * dims);
    });
    return {
      episode: replaceStreams(episode, [changed]),
      marks: [{ stream: late.id, from_s: 0, to_s: episode.duration_s }],
    };
  },
};
