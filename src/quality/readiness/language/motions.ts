import type { Subject } from '../check.ts';
import type { Motion } from '../features/motion.ts';

const most = 8;

/**
 * The motion of every state and action of three samples and more. The pair of command and answer is held against each
 * other, further streams stand by themselves. An autopilot's setpoints step, clip and alternate by design, and are
 * logged more slowly than they are made: they are left out. So are commands that are sent when something happens: a
 * velocity that is held repeats exactly while the robot drives on.
 */
export function motionsOf({ episode, features, kind }: Subject): Motion[] {
  const judged = episode.streams.filter(
    (stream) =>
      (stream.role === 'state' ||
        (stream.role === 'action' && kind !== 'aerial-flight' && stream.event_driven === undefined)) &&
      stream.series !== undefined &&
      features.of(stream).samples >= 3,
  );
  return judged.slice(0, most).map((stream) => features.motion(stream));
}
