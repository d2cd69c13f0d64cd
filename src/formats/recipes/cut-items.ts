import type { Episode } from '#core/episode';
import type { Unreadable } from '../shared/reader.ts';
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
