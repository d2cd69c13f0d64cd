/** Separate public API, so that code that cuts nothing and opens no recording does not load the readers. */
export { type BridgedRecording, type Chunk, planBridges } from './bridge-plan.ts';
export { cutEpisode, cutItems } from './cut-episode.ts';
export { readRecipe } from './read-recipe.ts';
export type { Recipe } from './recipe.ts';
