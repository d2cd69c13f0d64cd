import { defineRegistry } from '#core';
import type { TargetProfileId } from '#core/api';
import type { TargetProfileRow } from './target-profile.ts';
import { behaviourCloning } from './target-profiles/behaviour-cloning.ts';
import { detector } from './target-profiles/detector.ts';
import { diffusionPolicy } from './target-profiles/diffusion-policy.ts';
import { sslEncoder } from './target-profiles/ssl-encoder.ts';
import { vla } from './target-profiles/vla.ts';
import { worldModel } from './target-profiles/world-model.ts';

/** All target profiles, in display order. */
export const targetProfiles = defineRegistry<TargetProfileRow>([
  vla,
  behaviourCloning,
  diffusionPolicy,
  worldModel,
  sslEncoder,
  detector,
]);

/** Returns the target profile of an id of the API contract. */
export function targetProfile(id: TargetProfileId): TargetProfileRow {
  return targetProfiles.get(id)!;
}
