import type { Episode } from '#episode';
import type { Unreadable } from '../reader.ts';
import { cutEpisode } from './cut-episode.ts';
import type { Recipe } from './recipe-type.ts';

/** What a reader yields, cut by a recipe. */
export async function* cutItems(
  items: AsyncIterable<Episode | Unreadable>,
  recipe: Recipe,
): AsyncGenerator<Episode | Unreadable> {
  for await (const item of items) {
    if ('unreadable' in item) yield item;
    else yield* cutEpisode(item, recipe);
  }
}
