/** A door of its own: whoever cuts nothing and opens no recording does without the readers. */
export { type BridgedRecording, bridgePlan, type Chunk } from './bridge-plan.ts';
export { cutEpisode } from './cut-episode.ts';
export { cutItems } from './cut-items.ts';
export { readRecipe } from './read-recipe.ts';
export type { Recipe } from './recipe-type.ts';
