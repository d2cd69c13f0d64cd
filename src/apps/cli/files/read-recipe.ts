import { readFileSync } from 'node:fs';
import { asUnreadable } from '#core';
import type { Recipe } from '#formats/recipes';

/** The recipe file a person named. Throws `invalid_settings`, `not_found`. */
export async function readRecipeFile(file: string): Promise<Recipe> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    throw asUnreadable(thrown, file, 'name a readable YAML or JSON file');
  }
  const { readRecipe } = await import('#formats/recipes');
  return readRecipe(text, file);
}
