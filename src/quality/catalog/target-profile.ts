import type { TargetProfile } from '#core/api';

/** Training target: its pipeline steps, its export format and its requirements on the data. */
export type TargetProfileRow = TargetProfile;

type Step = TargetProfile['pipeline_steps'][number];

/** Creates a step of a target's pipeline; `layers` are the annotation layers that it runs, none by default. */
export const step = (id: Step['id'], why: string, layers: readonly string[] = []): Step => ({
  id,
  layers: [...layers],
  why,
});

type Requirement = TargetProfile['requirements'][number];

/** Creates a requirement that the target cannot be trained without. */
export const requires = (id: Requirement['id'], why: string): Requirement => ({ id, level: 'required', why });

/** Creates a requirement that improves the target but is optional. */
export const helpedBy = (id: Requirement['id'], why: string): Requirement => ({ id, level: 'helps', why });
