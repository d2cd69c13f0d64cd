import { significant } from '#core';
import type { LaneEpisode } from '../../lane.ts';
import { episodeMotion } from '../../motion/episode-motion.ts';
import { observedTime } from '../../motion/motion.ts';
import type { Statement } from './statement.ts';

const whole = { from_s: null, place: '' } as const;

/** What can be said of the episode as a whole: its task, its recording, how much of it moves. */
export function episodeStatements(episode: LaneEpisode, actor: string): Statement[] {
  return [...tasks(episode), ...recording(episode), ...motion(episode, actor)];
}

function tasks({ facts }: LaneEpisode): Statement[] {
  return (facts.episode.tasks ?? [])
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => ({
      ...{ evidence: 'task', weight: 8, ...whole },
      text: `The task is “${text.replace(/[.!?]+$/, '')}”.`,
    }));
}

function recording({ facts: { episode, streams } }: LaneEpisode): Statement[] {
  const told: Statement[] = [];
  const say = (text: string, weight: number) => told.push({ evidence: 'recording', weight, text, ...whole });
  const { duration_s, robot } = episode;
  if (duration_s > 0)
    say(`It lasts ${significant(duration_s, 3)} s${robot === null ? '' : `, recorded with ${robot}`}.`, 6);
  for (const { id, role, sample_count, measured_rate_hz } of streams) {
    const rate = measured_rate_hz === null ? '' : ` at ${significant(measured_rate_hz, 3)} Hz`;
    if (role === 'camera' || role === 'depth') say(`Camera ${id} gave ${sample_count} pictures${rate}.`, 2);
    if (role === 'state' || role === 'action' || role === 'odometry')
      say(`The ${role} ${id} has ${sample_count} rows${rate}.`, 1);
  }
  return told;
}

function motion(episode: LaneEpisode, actor: string): Statement[] {
  const told: Statement[] = [];
  const say = (text: string, weight: number) => told.push({ evidence: 'motion', weight, text, ...whole });
  const measured = episodeMotion(episode);
  const main = measured.main();
  const observed_s = main === null ? 0 : observedTime(main);
  if (main !== null && observed_s > 0) {
    const { from_s, to_s } = main.bins;
    const rests_s = main.still.reduce((sum, [from, to]) => sum + to_s[to - 1] - from_s[from], 0);
    const moves = Math.round(100 * Math.max(0, 1 - rests_s / observed_s));
    const subject = `${actor[0].toUpperCase()}${actor.slice(1)}`;
    const rests = main.still.length === 0 ? '' : ` and rests ${times(main.still.length)}`;
    say(`${subject} moves during ${moves} % of the time${rests}.`, 5);
  }
  for (const { name, stream, dimension, events } of measured.grippers())
    if (events.length > 0)
      say(
        `The gripper ${name ?? `in dimension ${dimension} of ${stream.id}`} changes ${times(events.length)}.`,
        4,
      );
  return told;
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
