import type { JsonObject } from '#core';
import type { LaneContext, LaneEpisode } from '../../lane.ts';
import { CameraLook } from './camera-look.ts';
import { type Fact, type Facts, inapplicable, told, unknown } from './fact.ts';

/** What the pictures show as a whole, camera by camera. */
export async function pictureFacts(
  { facts: { streams, kind } }: LaneEpisode,
  context: Pick<LaneContext, 'frames' | 'progress' | 'signal'>,
): Promise<Facts> {
  if (!streams.some(({ role }) => role === 'camera')) return allOf(inapplicable('it holds no pictures'));
  const cameras = new Map<string, CameraLook>();
  for await (const batch of context.frames()) {
    context.signal.throwIfAborted();
    context.progress();
    const own = cameras.get(batch.camera) ?? new CameraLook();
    cameras.set(batch.camera, own);
    own.add(batch);
  }
  const seen = [...cameras].filter(([, look]) => look.frames > 0);
  const reason = [...cameras.values()].find(({ unreadable }) => unreadable !== null)?.unreadable;
  if (seen.length === 0)
    return allOf(unknown(`no picture can be looked at: ${reason ?? 'no camera gave a frame'}`));
  const each = (of: (look: CameraLook) => JsonObject | null, none: string): Fact => {
    const found = seen.flatMap(([stream, look]) => {
      const value = of(look);
      return value === null ? [] : [{ ...value, stream }];
    });
    return found.length > 0 ? told(found) : unknown(none);
  };
  const isStill = kind.kind === 'vision-asset';
  const never = inapplicable('a still picture has no motion');
  return {
    blur: each((look) => look.blur(), noPair),
    brightness: each((look) => look.brightness(), noPair),
    camera_motion: isStill ? never : each((look) => look.motion(), noPair),
    clutter: each((look) => look.clutter(), noPair),
    scene_cuts: isStill ? never : each((look) => look.cuts(), noPair),
  };
}

const noPair = 'no two frames that can be compared';

const allOf = (fact: Fact): Facts => ({
  blur: fact,
  brightness: fact,
  camera_motion: fact,
  clutter: fact,
  scene_cuts: fact,
});
