import type { SearchFilter, Slice } from '@assay/client';
import { number, plural, spaced } from '../../components/words.ts';

const names: Readonly<Partial<Record<keyof SearchFilter, string>>> = {
  text: 'words',
  min_score: 'score from',
  max_score: 'score to',
  min_duration_s: 'seconds from',
  max_duration_s: 'seconds to',
  source_id: 'source',
  run_id: 'run',
  review_decision: 'decided by a person',
};

/** What a slice was made of, a part for each thing that was asked: filters first, then the ranking. */
export function queryWords(query: Slice['query']): readonly string[] {
  if ('failures' in query) {
    const { neighbours, novel_from } = query.failures;
    return [
      `the ${plural(neighbours, 'episode')} nearest to each failure`,
      `novel from ${number(novel_from)}`,
    ];
  }
  const { filter, rank } = query;
  const parts = Object.entries(filter).flatMap(([name, value]) => {
    const called = names[name as keyof SearchFilter] ?? spaced(name);
    return value === undefined
      ? []
      : [`${called}: ${Array.isArray(value) ? value.map(spaced).join(' or ') : value}`];
  });
  const asked = parts.length === 0 ? ['all episodes'] : parts;
  if (rank === null) return asked;
  if (rank.by === 'text') return [...asked, `ranked by the words “${rank.text}”`];
  const moment =
    rank.moment === null ? '' : `, ${number(rank.moment.from_s)} to ${number(rank.moment.to_s)} s`;
  return [...asked, `ranked by likeness in ${rank.descriptor} to ${rank.episode_id}${moment}`];
}
