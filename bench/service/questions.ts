import { type EpisodeSort, episodeSorts } from '#core/api';
import type { EpisodeQuery } from '#service/operations';
import { seededId, seededTask } from './seed-episodes.ts';

type Filter = Omit<EpisodeQuery, 'project_id' | 'sort' | 'limit' | 'cursor'>;

/** A filter that one may set, by name. */
const singleFilters: Readonly<Record<string, Filter>> = {
  'decision=accept': { decision: ['accept'] },
  'decision=reject': { decision: ['reject'] },
  'decision=review,reject': { decision: ['review', 'reject'] },
  'kind=teleop': { kind: ['teleop'] },
  'kind=drive-log': { kind: ['drive-log'] },
  'flag (18 %)': { flag: ['dropped_samples'] },
  'flag (7 %)': { flag: ['jerky_motion'] },
  'flag (0.2 %)': { flag: ['swapped_stamps'] },
  'two flags': { flag: ['black_video', 'frozen_video'] },
  'min_score=0.9': { min_score: 0.9 },
  'max_score=0.3': { max_score: 0.3 },
  'min_duration_s=60': { min_duration_s: 60 },
  'max_duration_s=4': { max_duration_s: 4 },
  'task (13 %)': { task: [seededTask(0)] },
  'task (0.8 %)': { task: [seededTask(59)] },
  'outcome=failure': { outcome: ['failure'] },
  'robot=ur5': { robot: ['ur5'] },
  source_id: { source_id: [seededId('src', 3)] },
  run_id: { run_id: [seededId('run', 17)] },
  'review_decision=reject': { review_decision: ['reject'] },
};

export interface Question {
  readonly name: string;
  readonly sort: EpisodeSort;
  readonly filter: Filter;
}

/** Yields a question for each filter and each pair of filters, in every sort order. */
export function* everyPair(): Generator<Question> {
  const filters = Object.entries(singleFilters);
  for (const sort of episodeSorts)
    for (const [i, [first, one]] of filters.entries())
      for (const [second, other] of filters.slice(i)) {
        const both = first === second ? one : merged(one, other);
        yield { name: `${first === second ? first : `${first} & ${second}`} by ${sort}`, sort, filter: both };
      }
}

/** Two values of one filter are alternatives. */
function merged(a: Filter, b: Filter): Filter {
  const all: Record<string, unknown> = { ...a };
  for (const [name, value] of Object.entries(b)) {
    const known = all[name];
    all[name] = Array.isArray(known) && Array.isArray(value) ? [...new Set([...known, ...value])] : value;
  }
  return all as Filter;
}

const ask = (sort: EpisodeSort, ...names: readonly string[]): Question => ({
  name: `${names.join(' & ')} by ${sort}`,
  sort,
  filter: names.map((name) => singleFilters[name]).reduce(merged),
});

/** Typical questions with two filters. */
export const usual: readonly Question[] = [
  ask('score', 'decision=review,reject', 'flag (18 %)'),
  ask('score', 'decision=reject', 'kind=teleop'),
  ask('-score', 'decision=accept', 'min_duration_s=60'),
  ask('score', 'flag (7 %)', 'robot=ur5'),
  ask('-created', 'task (0.8 %)', 'outcome=failure'),
  ask('name', 'source_id', 'decision=reject'),
  ask('score', 'run_id', 'decision=reject'),
  ask('-score', 'kind=drive-log', 'min_score=0.9'),
  ask('-duration_s', 'robot=ur5', 'outcome=failure'),
  ask('-created', 'flag (0.2 %)', 'kind=teleop'),
  ask('duration_s', 'decision=accept', 'task (13 %)'),
  ask('-created', 'review_decision=reject', 'decision=accept'),
  ask('name', 'kind=teleop', 'source_id'),
];

/** Nothing matches, though much passes each filter, or what matches lies at the far end of the order. */
export const hard: readonly Question[] = [
  ask('-score', 'flag (7 %)', 'decision=accept'),
  ask('-score', 'flag (18 %)', 'max_duration_s=4'),
  ask('-duration_s', 'decision=accept', 'max_score=0.3'),
];

/** Formats a question as a query string. */
export function queryOf({ sort, filter }: Question): string {
  const query = new URLSearchParams({ sort });
  for (const [name, value] of Object.entries(filter))
    for (const one of [value].flat()) query.append(name, String(one));
  return query.toString();
}
