import { codeTitle } from '#core/titles';
import { plural } from './labels.ts';

/** Verdict on a dataset as a whole, as in the API. */
export interface DescribedVerdict {
  readonly verdict: 'usable' | 'usable_after_fix' | 'not_usable';
  readonly usable_episodes: number;
  readonly reasons: readonly {
    readonly code: string;
    readonly effect:
      | 'refuses_set'
      | 'refuses_rows'
      | 'serves_wrong_rows'
      | 'stops_training'
      | 'unreadable'
      | 'rejected';
    readonly episodes: number | null;
    readonly remedy: 'fix' | 'export' | 'restore';
  }[];
}

type Reason = DescribedVerdict['reasons'][number];

export const setVerdictTitles: Readonly<Record<DescribedVerdict['verdict'], string>> = {
  usable: 'Usable',
  usable_after_fix: 'Usable after fix',
  not_usable: 'Not usable',
};

/** Maximum number of reasons that are listed. */
const maxReasons = 3;

/** Counts of a dataset's episodes. */
interface EpisodeCounts {
  /** Number of all episodes, unreadable ones included. */
  readonly all: number;
  /** Number of episodes to review; they count as usable. */
  readonly to_review: number;
}

/**
 * Describes the verdict on a dataset, its usable episodes and the reasons in one line, such as `Usable after fix: 12
 * of 12 episodes, after running assay fix. …`. `loader`: name of the loader; `null` if its rules are unknown.
 */
export function describeSetVerdict(
  { verdict, usable_episodes, reasons }: DescribedVerdict,
  { all, to_review }: EpisodeCounts,
  loader: string | null,
): string {
  const title = setVerdictTitles[verdict];
  const review = to_review === 0 ? '' : ` (${to_review} to review)`;
  const share = `${usable_episodes} of ${plural(all, 'episode')}${review}`;
  if (verdict === 'usable') {
    const loads = loader === null ? '' : `, loads in ${loader}`;
    return `${title}: ${share}${loads}`;
  }
  const why = describeReasons(reasons, loader);
  if (verdict === 'not_usable') return `${title}: ${why === '' ? 'no episode can be read' : why}`;
  return `${title}: ${share}, after ${describeRemedies(reasons)}. ${why.charAt(0).toUpperCase()}${why.slice(1)}`;
}

const remedyTexts: readonly (readonly [Reason['remedy'], string])[] = [
  ['restore', 'restoring or mapping the missing data'],
  ['fix', 'running assay fix'],
  ['export', 'leaving out the others with assay export'],
];

function describeRemedies(reasons: readonly Reason[]): string {
  const remedies = new Set(reasons.map(({ remedy }) => remedy));
  const needed = remedyTexts.filter(([remedy]) => remedies.has(remedy));
  return needed.map(([, text]) => text).join(' and ');
}

const effectTexts: Readonly<Record<Reason['effect'], (loader: string) => string>> = {
  refuses_set: (loader) => `${loader} cannot open the dataset`,
  refuses_rows: (loader) => `${loader} fails on some rows`,
  serves_wrong_rows: (loader) => `${loader} returns wrong rows`,
  stops_training: () => 'training stops with an error',
  unreadable: () => 'unreadable',
  rejected: () => 'rejected',
};

function describeReasons(reasons: readonly Reason[], loader: string | null): string {
  const byEffect = Map.groupBy(reasons.slice(0, maxReasons), ({ effect }) => effect);
  const listed = [...byEffect].map(([effect, own]) => {
    const codes = own.map(({ code, episodes }) =>
      episodes === null ? codeTitle(code) : `${codeTitle(code)} (${plural(episodes, 'episode')})`,
    );
    return `${effectTexts[effect](loader ?? 'the loader')}: ${codes.join(', ')}`;
  });
  const more = reasons.length - maxReasons;
  return [...listed, ...(more > 0 ? [plural(more, 'more reason')] : [])].join('; ');
}
