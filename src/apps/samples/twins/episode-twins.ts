import { armedSpans, type Episode, type Series, type Stream } from '#core/episode';
import { keepSamples, streamsOf, withValues } from '../faults/edit.ts';
import type { EpisodeTwin, SetTwin } from './twin.ts';

export const scriptedMotion: SetTwin = {
  id: 'scripted_motion',
  title: 'Same motion in many scenes',
  about:
    'A script or a replay moves the arm identically in different scenes: signals are equal row by row, images are not.',
  resembles: ['duplicate_episode'],
  of: 'set',
  scenes: true,
  vary(episodes) {
    if (episodes.some((episode) => !episode.streams.some(({ frames }) => frames !== undefined))) return null;
    const rowsOf = (episode: Episode) => streamsOf(episode, 'state')[0]?.sample_count ?? 0;
    const script = episodes.reduce((longest, next) => (rowsOf(next) > rowsOf(longest) ? next : longest));
    if (rowsOf(script) === 0) return null;
    return episodes.map((episode) => ({
      ...episode,
      streams: episode.streams.map((stream) => applyScript(stream, script)),
    }));
  },
};

function applyScript(stream: Stream, script: Episode): Stream {
  const source = script.streams.find(({ id }) => id === stream.id);
  if (stream === source || stream.series === undefined || source?.series === undefined) return stream;
  const { values: said } = source.series as Series;
  return withValues(stream, (values) => {
    values.set(said.subarray(0, values.length));
  });
}

const stepCount = 10;

export const tenSteps: SetTwin = {
  id: 'ten_steps',
  title: 'Episodes of ten steps',
  about:
    'Step-wise control, as in RLDS datasets: every episode has ten rows, and each action is the difference to the next row.',
  resembles: [
    'action_frozen',
    'state_frozen',
    'signal_jump',
    'episode_too_short',
    'joint_stuck',
    'unit_change',
  ],
  of: 'set',
  vary(episodes) {
    if (episodes.some((episode) => streamsOf(episode, 'state').length === 0)) return null;
    return episodes.map((episode) => ({
      ...episode,
      streams: episode.streams.filter(({ series }) => series !== undefined).map(sampleTenSteps),
    }));
  },
};

function sampleTenSteps(stream: Stream): Stream {
  const every = Math.floor(stream.sample_count / stepCount);
  const rows = new Set(Array.from({ length: stepCount }, (_, i) => i * every));
  const sampled: Stream = { ...keepSamples(stream, (i) => rows.has(i)), declared_rate_hz: null };
  if (stream.role !== 'action') return sampled;
  const { values: before } = sampled.series as Series;
  return withValues(sampled, (values, dims) => {
    for (let at = 0; at + dims < values.length; at++) values[at] = before[at + dims] - before[at];
    values.fill(0, values.length - dims);
  });
}

const sentenceFrames = [
  (text: string) => text,
  (text: string) => `Please ${text.charAt(0).toLowerCase()}${text.slice(1)}`,
  (text: string) => `${text}, slowly and with care`,
];
/** Wordings that only one episode of the set uses. */
const uniqueTexts = ['Tidy up this place', 'Do what you were shown'];

export const paraphrasedTexts: SetTwin = {
  id: 'paraphrased_texts',
  title: 'Several wordings of one task',
  about:
    'Operators describe the same task in three ways, independent of how it is done, and two episodes of the dataset in words that no other episode uses.',
  resembles: ['instruction_mismatch'],
  of: 'set',
  vary(episodes, random) {
    if (episodes.length < 8 || episodes.some(({ tasks }) => (tasks?.length ?? 0) === 0)) return null;
    const own = new Map(
      uniqueTexts.map((text, i) => [Math.floor(((i + 0.5) * episodes.length) / uniqueTexts.length), text]),
    );
    return episodes.map((episode, i) => {
      const [task] = episode.tasks!;
      const text = own.get(i) ?? random.pick(sentenceFrames)(task.text);
      return { ...episode, tasks: [{ ...task, text }] };
    });
  },
};

const failsafeSource = 'vehicle_status.failsafe';

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
      { time_s: 0, label: 'failsafe', source: failsafeSource },
      { time_s: 0, label: 'CRITICAL: [commander] No manual control stick input', source: 'logged text' },
      { time_s: over_s, label: 'failsafe over', source: failsafeSource },
      ...episode.events,
    ].sort((a, b) => a.time_s - b.time_s);
    return { ...episode, events };
  },
};
