import type { SearchFilter, Slice } from '#client';
import { number, plural, spaced } from '../../components/words.ts';

const names: Readonly<Partial<Record<keyof SearchFilter, string>>> = {
  text: 'task text',
  min_score: 'min score',
  max_score: 'max score',
  min_duration_s: 'min duration (s)',
  max_duration_s: 'max duration (s)',
  source_id: 'source',
  run_id: 'run',
  review_decision: 'human review',
};

/** Describes the query of a slice in words: one entry per filter, then the ranking. */
export function queryWords(query: Slice['query']): readonly string[] {
  if ('failures' in query) {
    const { neighbours, novel_from } = query.failures;
    return [
      `${plural(neighbours, 'nearest episode')} of each failure`,
      `novelty threshold ${number(novel_from)}`,
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
  if (rank.by === 'text') return [...asked, `ranked by text “${rank.text}”`];
  const moment =
    rank.moment === null ? '' : `, ${number(rank.moment.from_s)} to ${number(rank.moment.to_s)} s`;
  return [...asked, `ranked by ${rank.descriptor} similarity to ${rank.episode_id}${moment}`];
}
