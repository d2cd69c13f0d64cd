import { readFileSync } from 'node:fs';
import { wrapReadError } from '#core';
import type { Recipe } from '#formats/recipes';

/** Reads a recipe file, YAML or JSON. Throws `invalid_settings`, `not_found`. */
export async function readRecipeFile(file: string): Promise<Recipe> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    throw wrapReadError(thrown, file, 'pass a readable YAML or JSON file');
  }
  const { readRecipe } = await import('#formats/recipes');
  return readRecipe(text, file);
}
