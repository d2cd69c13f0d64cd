import type { Episode } from '#episode';
import type { Unreadable } from '../reader.ts';
import { cutEpisode } from './cut-episode.ts';
import type { Recipe } from './recipe-type.ts';

/** What a reader yields, cut by a recipe; as it is where there is none. */
export async function* cutItems(
  items: AsyncIterable<Episode | Unreadable>,
  recipe: Recipe | null,
): AsyncGenerator<Episode | Unreadable> {
  for await (const item of items) {
    if (recipe === null || 'unreadable' in item) yield item;
    else yield* cutEpisode(item, recipe);
  }
}
