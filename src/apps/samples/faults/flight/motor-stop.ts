import { replaceStreams, timeOfRow, withValues } from '../edit.ts';
import type { EpisodeFault } from '../fault.ts';

const seconds = { small: 3, medium: 6, large: 15 } as const;

export const motorStop: EpisodeFault = {
  id: 'motor_stop',
  title: 'Motor failure',
  about: 'An output fails: one motor is stopped, or holds its last command, for 3, 6 or 15 s.',
  timeline: false,
  peers: 0,
  flags: ['motor_output_lost'],
  flies: true,
  plants: 'episode',
  plant(episode, size, random) {
    const stream = episode.streams.find(({ id }) => id === 'actuator_motors.control');
    if (stream?.series === undefined || stream.sample_count < 20) return null;
    const motor = random.integer(0, 3);
    const stops = random.next() < 0.5;
    const from_s = random.between(0.3, 0.6) * timeOfRow(stream, stream.sample_count - 1);
    const to_s = from_s + seconds[size];
    const changed = withValues(stream, (values, dims) => {
      let lastValue = Number.NaN;
      for (let row = 0; row * dims < values.length; row++) {
        const time_s = timeOfRow(stream, row);
        if (time_s < from_s) lastValue = stops ? Number.NaN : values[row * dims + motor];
        else if (time_s <= to_s) values[row * dims + motor] = lastValue;
      }
    });
    const mark = { stream: stream.id, from_s, to_s, dimension: motor };
    return { episode: replaceStreams(episode, [changed]), marks: [mark] };
  },
};
