import type { Recipe } from './recipe.ts';

/** Parses a user-written recipe; loads the schema on demand. @throws AssayError `invalid_settings` naming the line. */
export async function readRecipe(text: string, path: string): Promise<Recipe> {
  const { parseRecipe } = await import('./recipe.ts');
  return parseRecipe(text, path);
}
