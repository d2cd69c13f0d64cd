/** Stages that leave episodes out of an export, in the order in which they apply: an episode counts for the first. */
export const dropStages = ['without', 'held_out', 'curation', 'slice', 'episode_ids', 'decision'] as const;
export type DropStage = (typeof dropStages)[number];
