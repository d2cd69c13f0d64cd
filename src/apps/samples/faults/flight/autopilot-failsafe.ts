import type { EpisodeFault } from '../fault.ts';

const seconds = { small: 1, medium: 5, large: 20 } as const;
const source = 'vehicle_status.failsafe';

export const autopilotFailsafe: EpisodeFault = {
  id: 'autopilot_failsafe',
  title: 'Failsafe in flight',
  about:
    'The radio link or the battery fails: the autopilot reports a failsafe and flies on its own for 1, 5 or 20 s.',
  timeline: false,
  peers: 0,
  flags: ['autopilot_failsafe'],
  flies: true,
  plants: 'episode',
  plant(episode, size, random) {
    if (!episode.events.some(({ label }) => label === 'armed')) return null;
    const from_s = random.between(0.3, 0.6) * episode.duration_s;
    const to_s = from_s + seconds[size];
    const events = [
      ...episode.events,
      { time_s: from_s, label: 'failsafe', source },
      { time_s: to_s, label: 'failsafe over', source },
    ].sort((a, b) => a.time_s - b.time_s);
    return { episode: { ...episode, events }, marks: [{ stream: source, from_s, to_s }] };
  },
};
