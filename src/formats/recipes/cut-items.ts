import type { Episode } from '#episode';
import type { Unreadable } from '../reader.ts';
import { cutEpisode } from './cut-episode.ts';
import type { Recipe } from './recipe-type.ts';

/** What a reader yields, cut by a recipe; as it is where there is none. */
export function cutItems(
  items: AsyncIterable<Episode | Unreadable>,
  recipe: Recipe | null,
): AsyncIterable<Episode | Unreadable> {
  return recipe === null ? items : cutBy(recipe, items);
}

async function* cutBy(
  recipe: Recipe,
  items: AsyncIterable<Episode | Unreadable>,
): AsyncGenerator<Episode | Unreadable> {
  for await (const item of items) {
    if ('unreadable' in item) yield item;
    else yield* cutEpisode(item, recipe);
  }
}
