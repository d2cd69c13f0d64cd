import { AssayError, significant } from '#core';
import { coverageOf } from './coverage.ts';
import type { IndexedEpisode, Ranked, SearchResult } from './indexed-episode.ts';
import { wordsOf } from './words.ts';

/** Okapi BM25 with its usual constants (Robertson and Zaragoza, 2009). */
const k1 = 1.2;
const b = 0.75;

/** By the words that tasks share with `text`, rare words first. An episode with none of them is no answer. */
export function rankByWords<Episode extends IndexedEpisode>(
  matched: readonly Episode[],
  text: string,
): SearchResult<Episode> {
  const asked = [...new Set(wordsOf(text))];
  if (asked.length === 0)
    throw new AssayError('usage', 'there is no word in the text to search for', {
      advice: 'name some words',
    });
  const texts = matched.map(({ tasks }) => tasks.flatMap(wordsOf));
  const usual = texts.reduce((sum, words) => sum + words.length, 0) / Math.max(1, texts.length);
  const rarity = new Map(asked.map((word) => [word, rarityOf(word, texts)]));
  const hits: Ranked<Episode>[] = [];
  const missing: string[] = [];
  for (const [i, words] of texts.entries()) {
    const found = asked.filter((word) => words.includes(word));
    if (found.length > 0) hits.push(hitOf(matched[i], weigh(words, found, rarity, usual), found));
    else missing.push(words.length === 0 ? 'it has no task text' : 'its task has none of the words');
  }
  hits.sort((one, other) => other.score! - one.score! || one.episode.index - other.episode.index);
  return { coverage: coverageOf(hits.length, missing), ranked_by: bm25, hits };
}

const bm25 = {
  id: 'words',
  version: 1,
  says: 'the words that the task shares with the text, rare words first (BM25). Words, not meaning.',
  moment: null,
};

function hitOf<Episode>(episode: Episode, weight: number, found: readonly string[]): Ranked<Episode> {
  return {
    episode,
    score: significant(weight / (weight + 1), 6),
    why: `its task says ${found.join(', ')}`,
    moment: null,
  };
}

function rarityOf(word: string, texts: readonly (readonly string[])[]): number {
  const having = texts.filter((words) => words.includes(word)).length;
  return Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
}

function weigh(
  words: readonly string[],
  found: readonly string[],
  rarity: ReadonlyMap<string, number>,
  usual: number,
): number {
  return found.reduce((sum, word) => {
    const times = words.filter((other) => other === word).length;
    const damped = (times * (k1 + 1)) / (times + k1 * (1 - b + (b * words.length) / usual));
    return sum + rarity.get(word)! * damped;
  }, 0);
}
