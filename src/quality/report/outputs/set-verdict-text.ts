import type { Assessment, SetVerdict } from '#core/api';
import type { Finding } from '#core/episode';
import { codeToWords } from './issues.ts';
import type { OutputAssessment } from './output.ts';

export const setVerdictTitles: Readonly<Record<SetVerdict['verdict'], string>> = {
  usable: 'Usable',
  usable_after_fix: 'Usable after fix',
  not_usable: 'Not usable',
};

/** Maximum number of reasons that are listed. */
const maxReasons = 3;

/**
 * Describes the verdict on a dataset in one line: `Usable after fix: 12 of 12 episodes after assay fix. LeRobot v2.1
 * refuses the whole set: camera without files`. `episodes`: number of all episodes, unreadable ones included. `loader`:
 * name of the loader, if its rules are known.
 */
export function describeSetVerdict(
  { verdict, usable_episodes, reasons }: SetVerdict,
  episodes: number,
  loader: string | null,
): string {
  const title = setVerdictTitles[verdict];
  const all = `${usable_episodes} of ${episodes} episodes`;
  if (verdict === 'usable') return `${title}: ${all}${loader === null ? '' : `, loads in ${loader}`}`;
  const why = describeReasons(reasons, loader);
  if (verdict === 'not_usable') return `${title}: ${why === '' ? 'no episode can be read' : why}`;
  return `${title}: ${all} ${describeRemedies(reasons)}. ${why}`;
}

/** Describes the verdict on everything under the assessed path. */
export function describeOverall({
  datasets,
  usability,
  verdicts,
  unreadable,
}: Pick<OutputAssessment, 'datasets' | 'usability' | 'verdicts' | 'unreadable'>): string {
  const loader = datasets.length === 1 ? (datasets[0].loads?.reader ?? null) : null;
  return describeSetVerdict(usability, verdicts.length + unreadable, loader);
}

/** Describes the verdict of an assessment's summary; `title` is its short form. */
export function describeSummary({ usability, parts, episodes, unreadable }: Assessment['dataset']) {
  const loader = parts.length === 1 ? (parts[0].loads?.reader ?? null) : null;
  const { verdict } = usability;
  return {
    verdict,
    title: setVerdictTitles[verdict],
    text: describeSetVerdict(usability, episodes + unreadable, loader),
  };
}

/** Returns the verdict on a dataset as a finding, unless the dataset is usable as it is. */
export function unusableFinding({
  usability,
  episodes,
  unreadable,
  loads,
}: OutputAssessment['datasets'][number]): Finding[] {
  const { verdict } = usability;
  if (verdict === 'usable') return [];
  const message = describeSetVerdict(usability, episodes + unreadable, loads?.reader ?? null);
  return [{ code: `set_${verdict}`, severity: 'error', path: null, message, advice: '' }];
}

const remedyTexts: Readonly<Record<SetVerdict['reasons'][number]['remedy'], string>> = {
  restore: 'after restoring what is missing',
  fix: 'after assay fix',
  export: 'with assay export, which leaves out the rest',
};

function describeRemedies(reasons: SetVerdict['reasons']): string {
  const remedies = new Set(reasons.map(({ remedy }) => remedy));
  return Object.entries(remedyTexts)
    .flatMap(([remedy, text]) => ([...remedies].some((one) => one === remedy) ? [text] : []))
    .join(' and ');
}

const effectTexts: Readonly<Record<SetVerdict['reasons'][number]['effect'], (loader: string) => string>> = {
  refuses_set: (loader) => `${loader} refuses the whole set`,
  refuses_rows: (loader) => `${loader} fails at some rows`,
  serves_wrong_rows: (loader) => `${loader} returns wrong rows`,
  stops_training: () => 'training stops',
  unreadable: () => 'unreadable',
  rejected: () => 'rejected',
};

function describeReasons(reasons: SetVerdict['reasons'], loader: string | null): string {
  const listed = [...Map.groupBy(reasons.slice(0, maxReasons), ({ effect }) => effect)].map(
    ([effect, own]) => {
      const codes = own.map(({ code, episodes }) => {
        const where = episodes === null ? '' : ` in ${episodes} ${episodes === 1 ? 'episode' : 'episodes'}`;
        return `${codeToWords(code)}${where}`;
      });
      return `${effectTexts[effect](loader ?? 'the loader')}: ${codes.join(', ')}`;
    },
  );
  const more = reasons.length > maxReasons ? [`${reasons.length - maxReasons} more reasons`] : [];
  return [...listed, ...more].join('; ');
}
