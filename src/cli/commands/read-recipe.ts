import { readFileSync } from 'node:fs';
import { asUnreadable } from '#kernel';
import { type Recipe, readRecipe } from '#recipes';

/** The recipe file a person named. Throws `invalid_settings`, `not_found`. */
export function readRecipeFile(file: string): Promise<Recipe> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    throw asUnreadable(thrown, file, 'name a readable YAML or JSON file');
  }
  return readRecipe(text, file);
}
