import { armedSpans } from '#core/episode';
import type { EpisodeTwin } from './twin.ts';

const source = 'vehicle_status.failsafe';

export const groundFailsafe: EpisodeTwin = {
  id: 'ground_failsafe',
  title: 'Failsafe and critical log message on the ground',
  about:
    'The transmitter is off until shortly before arming: a failsafe and a critical log message, but none in flight.',
  resembles: ['autopilot_failsafe', 'autopilot_alarm'],
  flies: true,
  of: 'episode',
  vary(episode, random) {
    const [first] = armedSpans(episode.events, episode.duration_s) ?? [];
    if (first === undefined || !(first[0] > 0.2)) return null;
    const over_s = random.between(0.4, 0.8) * first[0];
    const events = [
      { time_s: 0, label: 'failsafe', source },
      { time_s: 0, label: 'CRITICAL: [commander] No manual control stick input', source: 'logged text' },
      { time_s: over_s, label: 'failsafe over', source },
      ...episode.events,
    ].sort((a, b) => a.time_s - b.time_s);
    return { ...episode, events };
  },
};
