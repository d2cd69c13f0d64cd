import type { Kind } from '#core/episode';
import type { LaneEpisode } from '../../lane.ts';
import { type Fact, type Facts, inapplicable, told, unknown } from './fact.ts';

type Told = LaneEpisode['facts'];

/** Kinds of which somebody asked something of somebody, so that there is a task and an outcome. */
const attempts: readonly Kind[] = ['teleop', 'egocentric', 'state-only'];
const robots: readonly Kind[] = ['teleop', 'drive-log', 'aerial-flight', 'state-only'];

/** What the receipt says of the recording itself. */
export function recordingFacts(facts: Told): Facts {
  const { episode, kind } = facts;
  return {
    cameras: cameras(facts),
    dims: dims(facts),
    duration_s: duration(facts),
    kind: told(kind.kind),
    outcome: outcome(facts),
    rates_hz: rates(facts),
    robot:
      episode.robot !== null
        ? told(episode.robot)
        : robots.includes(kind.kind)
          ? unknown('the recording does not name the robot')
          : inapplicable('no robot takes part'),
    tasks: tasks(facts),
  };
}

function duration({ episode, kind }: Told): Fact {
  if (kind.kind === 'vision-asset') return inapplicable('a still picture takes no time');
  if (episode.duration_s > 0) return told(episode.duration_s);
  return unknown('no stream has a clock, or none has two different stamps');
}

function outcome({ episode: { outcome }, kind }: Told): Fact {
  if (outcome.value !== 'unknown') return told({ ...outcome });
  return attempts.includes(kind.kind) ? unknown(outcome.reason) : inapplicable('nothing was attempted');
}

function tasks({ episode, kind }: Told): Fact {
  const texts = (episode.tasks ?? []).filter((text) => text.trim() !== '');
  if (texts.length > 0) return told(texts);
  if (!attempts.includes(kind.kind)) return inapplicable('nothing was attempted');
  return unknown(
    episode.tasks === null
      ? 'the format carries no task text'
      : 'the episode has no task text, though its format does',
  );
}

/** Pictures, size in px as (width, height) and rate of each camera. */
function cameras({ streams }: Told): Fact {
  const found = streams.filter(({ role }) => role === 'camera' || role === 'depth');
  if (found.length === 0) return inapplicable('it holds no pictures');
  return told(
    found.map(({ id, measured_rate_hz, role, sample_count, shape }) => ({
      pictures: sample_count,
      rate_hz: measured_rate_hz,
      role,
      size_px: sizeOf(shape),
      stream: id,
    })),
  );
}

/** Shapes are rows, columns, channels, or channels first. */
function sizeOf(shape: readonly number[]): [width: number, height: number] | null {
  const [a, b, c] = shape;
  if (shape.length === 2) return [b, a];
  if (shape.length !== 3) return null;
  return a <= 4 && c > 4 ? [c, b] : [b, a];
}

function rates({ kind, streams }: Told): Fact {
  if (kind.kind === 'vision-asset') return inapplicable('a still picture takes no time');
  const found = streams.filter(({ measured_rate_hz }) => measured_rate_hz !== null);
  if (found.length === 0) return unknown('no stream has two stamps that differ');
  return told(
    found.map(({ clock, id, measured_rate_hz, role }) => ({
      clock: clock === null ? null : clock.provenance,
      rate_hz: measured_rate_hz,
      role,
      stream: id,
    })),
  );
}

/** Numbers a sample has, by role. */
function dims({ streams }: Told): Fact {
  const numeric = streams.filter(({ modality }) => modality === 'numeric');
  if (numeric.length === 0) return inapplicable('it holds no numbers');
  const byRole: Record<string, number> = {};
  for (const role of numeric.map(({ role }) => role).sort()) byRole[role] = 0;
  for (const { role, shape } of numeric) byRole[role] += shape.reduce((product, size) => product * size, 1);
  return told(byRole);
}
