import type { AssessmentResult, DatasetSummary } from '#engine/local';
import type { ReaderDoes } from '#formats/rules';
import { printableName } from '../printable.ts';
import { count, grouped, words } from '../words.ts';
import { wrap } from '../wrap.ts';
import { episodeLines } from './episode-lines.ts';
import { findingLines } from './finding-lines.ts';
import { type Paint, painter } from './paint.ts';
import type { TableOptions } from './table-options.ts';
import { whatToDo } from './what-to-do.ts';

/** What `assess` prints for a person. */
export function renderTable(result: AssessmentResult, options: TableOptions): string {
  const paint = painter(options.colours);
  const out: string[] = [];
  result.datasets.forEach((dataset, index) => {
    out.push(
      '',
      ...header(dataset, options, paint),
      ...findingLines(dataset.findings, options.columns, paint),
    );
    const verdicts = result.verdicts.filter((verdict) => verdict.dataset === index);
    if (verdicts.length > 0) out.push('', ...episodeLines(verdicts, options, paint));
  });
  if (result.findings.length > 0) out.push('', ...findingLines(result.findings, options.columns, paint));
  const legend = whatToDo(result, options, paint);
  if (legend.length > 0) out.push('', ...legend);
  out.push('', totals(result, paint), '');
  return out.slice(1).join('\n');
}

function header(dataset: DatasetSummary, { path, columns }: TableOptions, paint: Paint): string[] {
  const name = printableName(dataset.path === '.' ? path : `${path}/${dataset.path}`);
  const { facts } = dataset;
  const format = facts.version === null ? facts.format : `${facts.format} ${facts.version}`;
  const kind = dataset.kind === null ? '' : `, ${dataset.kind}`;
  const { accept, review, reject } = dataset.decisions;
  const verdict = `${paint('green', `${grouped(accept)} accept`)}, ${paint('yellow', `${grouped(review)} review`)}, ${paint('red', `${grouped(reject)} reject`)}`;
  const lost = dataset.unreadable > 0 ? `, ${paint('red', `${grouped(dataset.unreadable)} unreadable`)}` : '';
  return [
    paint('bold', name),
    `  ${format}${kind}, ${count(dataset.episodes, 'episode')}: ${verdict}${lost}`,
    ...wrap(dataset.evidence.join('; '), columns, '  ').map((line) => paint('dim', line)),
    ...loads(dataset, columns, paint),
  ];
}

const doing: Record<ReaderDoes, string> = {
  refuses_set: 'refuses the whole set',
  refuses_rows: 'refuses rows',
  serves_wrong_rows: 'serves wrong rows',
  loads: 'loads',
};

type Rule = NonNullable<DatasetSummary['loads']>['why'][number];

/** `video missing in 96 episodes`. */
const ruleText = ({ rule, episodes }: Rule): string =>
  `${words(rule)}${episodes === null ? '' : ` in ${count(episodes, 'episode')}`}`;

/** `loads in LeRobot v3.0: no, it refuses the whole set (episodes missing)`. */
function loads({ loads: verdict }: DatasetSummary, columns: number, paint: Paint): string[] {
  if (verdict === null) return [];
  const { reader, loads: answer, why } = verdict;
  const reasons = [...Map.groupBy(why.slice(0, 4), ({ does }) => does)].map(([does, rules]) => {
    const [{ episodes }] = rules;
    const where = rules.length > 1 || episodes === null ? '' : ` for ${count(episodes, 'episode')}`;
    const named = rules.map((rule) => (rules.length > 1 ? ruleText(rule) : words(rule.rule)));
    return `it ${doing[does]}${where} (${named.join(', ')})`;
  });
  const more = why.length > 4 ? [`and ${count(why.length - 4, 'more rule')}`] : [];
  const text = [`loads in ${reader}: ${answer}`, ...reasons, ...more].join(', ');
  return wrap(text, columns - 2, '  ').map((line) => (answer === 'yes' ? line : paint('red', line)));
}

function totals(
  { verdicts, decisions, settings, unreadable, incomplete }: AssessmentResult,
  paint: Paint,
): string {
  const missing = incomplete.reduce((sum, { episodes }) => sum + episodes, 0);
  const lost = [
    ...(unreadable > 0 ? [`, ${grouped(unreadable)} unreadable`] : []),
    ...(missing > 0 ? [`, ${grouped(missing)} not measured here`] : []),
  ].join('');
  const sum = `${count(verdicts.length, 'episode')}: ${grouped(decisions.accept)} accept, ${grouped(decisions.review)} review, ${grouped(decisions.reject)} reject${lost}`;
  const under = `judged under ${settings.name} settings (${settings.hash.slice(0, 8)})`;
  return `${paint('bold', sum)}\n${paint('dim', under)}`;
}
