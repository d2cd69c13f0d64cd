import type { Stream, StreamRole } from '#core/episode';
import type { LaneEpisode } from '../lane.ts';
import type { Grippers } from './gripper-dimensions.ts';
import { type GripperTrack, gripperTracks } from './gripper-events.ts';
import { type Motion, motionOf } from './motion.ts';
import { rolesOf, sourceOf } from './motion-source.ts';

/** The motion of an episode, each part measured when it is first asked for. */
export interface EpisodeMotion {
  /** By what tells the motion best; null where nothing does. */
  main(): Motion | null;
  /** By the streams of one role; null where they tell no motion. */
  of(role: StreamRole): Motion | null;
  grippers(): readonly GripperTrack[];
}

/** Every lane of an episode asks for the same; what was measured is let go with the streams. */
const measured = new WeakMap<readonly Stream[], { grippers: Grippers; motion: EpisodeMotion }>();

export function episodeMotion(episode: LaneEpisode): EpisodeMotion {
  const { facts, streams } = episode;
  const kept = measured.get(streams);
  if (kept !== undefined && kept.grippers === facts.grippers) return kept.motion;
  const motion = createMotion(episode);
  measured.set(streams, { grippers: facts.grippers, motion });
  return motion;
}

function createMotion({ facts, streams }: LaneEpisode): EpisodeMotion {
  const byRole = new Map<StreamRole, Motion | null>();
  let tracks: readonly GripperTrack[] | null = null;
  const of = (role: StreamRole): Motion | null => {
    let motion = byRole.get(role);
    if (motion === undefined) {
      const source = sourceOf(role, streams, facts.grippers);
      motion = source === null ? null : motionOf(source);
      byRole.set(role, motion);
    }
    return motion;
  };
  return {
    of,
    main: () => {
      for (const role of rolesOf(facts.kind.kind)) {
        const motion = of(role);
        if (motion !== null) return motion;
      }
      return null;
    },
    grippers: () => {
      tracks ??= gripperTracks(streams, facts.grippers);
      return tracks;
    },
  };
}
