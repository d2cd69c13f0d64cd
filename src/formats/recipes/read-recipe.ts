import type { Recipe } from './recipe.ts';

/** Parses a user-written recipe, loading the schema on demand; throws `invalid_settings` naming the line. */
export async function readRecipe(text: string, path: string): Promise<Recipe> {
  const { parseRecipe } = await import('./recipe.ts');
  return parseRecipe(text, path);
}
