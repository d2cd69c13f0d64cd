import type { TargetProfile } from '#core/api';

/** What a target drives: the steps to it, the format it leaves in, what it needs of the data. */
export type TargetProfileRow = TargetProfile;

type Step = TargetProfile['pipeline_steps'][number];

/** A step of a target's pipeline, with the annotation layers that it runs. */
export const step = (id: Step['id'], why: string, layers: readonly string[] = []): Step => ({
  id,
  layers: [...layers],
  why,
});

type Requirement = TargetProfile['requirements'][number];

/** Without it the target cannot be trained. */
export const requires = (id: Requirement['id'], why: string): Requirement => ({ id, level: 'required', why });

/** The target is better with it. */
export const helpedBy = (id: Requirement['id'], why: string): Requirement => ({ id, level: 'helps', why });
