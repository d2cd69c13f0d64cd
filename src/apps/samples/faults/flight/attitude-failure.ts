import { replaceStreams, timeOfRow, withValues } from '../edit.ts';
import type { EpisodeFault } from '../fault.ts';

const seconds = { small: 0.5, medium: 2, large: 10 } as const;
const roll = 1;

export const attitudeFailure: EpisodeFault = {
  id: 'attitude_failure',
  title: 'Attitude failure reported by the autopilot',
  about: 'The aircraft rolls over in flight: PX4’s failure detector reports it for 0.5, 2 or 10 s.',
  timeline: false,
  peers: 0,
  flags: ['attitude_failure'],
  flies: true,
  plants: 'episode',
  plant(episode, size, random) {
    const stream = episode.streams.find(({ names }) => names?.includes('failure_detector_status'));
    if (stream?.names == null || stream.sample_count < 20) return null;
    const at = stream.names.indexOf('failure_detector_status');
    const from_s = random.between(0.3, 0.6) * timeOfRow(stream, stream.sample_count - 1);
    const to_s = from_s + seconds[size];
    const changed = withValues(stream, (values, dims) => {
      for (let row = 0; row * dims < values.length; row++) {
        const time_s = timeOfRow(stream, row);
        if (time_s >= from_s && time_s <= to_s) values[row * dims + at] = roll;
      }
    });
    return { episode: replaceStreams(episode, [changed]), marks: [{ stream: stream.id, from_s, to_s }] };
  },
};
