import type { Recipe } from './recipe-type.ts';

/** Reads a recipe that a person wrote; its schema is loaded only then. Throws `invalid_settings`, naming the line. */
export async function readRecipe(text: string, path: string): Promise<Recipe> {
  const { parseRecipe } = await import('./recipe.ts');
  return parseRecipe(text, path);
}
