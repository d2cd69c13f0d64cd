import { styleText } from 'node:util';
import { type AssessmentResult, type DatasetSummary, type EpisodeVerdict, worstFirst } from '#assess';
import type { Finding } from '#episode';
import type { ReaderDoes } from '#formats';
import type { FlagRow } from '#readiness';
import { printableName } from '../printable.ts';
import { count, grouped, words } from '../words.ts';
import { wrap } from '../wrap.ts';

export interface TableOptions {
  readonly path: string;
  readonly columns: number;
  readonly colours: boolean;
  /** Episodes of a dataset listed at most; the worst come first. */
  readonly rows: number;
  /** List those that are fine as well. */
  readonly all: boolean;
  /** By flag code. */
  readonly flags: ReadonlyMap<string, FlagRow>;
}

type Style = Parameters<typeof styleText>[0];

/** What `assess` prints for a person. */
export function renderTable(result: AssessmentResult, options: TableOptions): string {
  const paint = (style: Style, text: string) =>
    options.colours ? styleText(style, text, { validateStream: false }) : text;
  const out: string[] = [];
  result.datasets.forEach((dataset, index) => {
    out.push('', ...header(dataset, options, paint), ...findings(dataset.findings, options, paint));
    const verdicts = result.verdicts.filter((verdict) => verdict.dataset === index);
    if (verdicts.length > 0) out.push('', ...episodes(verdicts, options, paint));
  });
  if (result.findings.length > 0) out.push('', ...findings(result.findings, options, paint));
  const legend = whatToDo(result.verdicts, options, paint);
  if (legend.length > 0) out.push('', ...legend);
  out.push('', totals(result, paint), '');
  return out.slice(1).join('\n');
}

type Paint = (style: Style, text: string) => string;

const decisionStyle: Record<string, Style> = { accept: 'green', review: 'yellow', reject: 'red' };
const severityStyle: Record<string, Style> = {
  blocking: 'red',
  error: 'red',
  warning: 'yellow',
  info: 'dim',
};

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

/** `loads in LeRobot v3.0: no, it refuses the whole set (episodes missing)`. */
function loads({ loads: verdict }: DatasetSummary, columns: number, paint: Paint): string[] {
  if (verdict === null) return [];
  const { reader, loads: answer, why } = verdict;
  const reasons = why.slice(0, 4).map(({ rule, does, episodes }) => {
    const where = episodes === null ? '' : ` for ${count(episodes, 'episode')}`;
    return `it ${doing[does]}${where} (${words(rule)})`;
  });
  const more = why.length > reasons.length ? [`and ${count(why.length - reasons.length, 'more rule')}`] : [];
  const text = [`loads in ${reader}: ${answer}`, ...reasons, ...more].join(', ');
  return wrap(text, columns - 2, '  ').map((line) => (answer === 'yes' ? line : paint('red', line)));
}

const findingsShown = 12;
const findingRank = { blocking: 0, error: 1, warning: 2, info: 3 } as const;

function findings(list: readonly Finding[], { columns }: TableOptions, paint: Paint): string[] {
  const sorted = list.toSorted((a, b) => findingRank[a.severity] - findingRank[b.severity]);
  const shown = sorted.slice(0, findingsShown);
  const lines = shown.flatMap(({ severity, path, message, advice }) => {
    const place = path === null || message.includes(path) ? '' : `${path}: `;
    const [first, ...rest] = wrap(`${place}${message}`, columns - 10, '');
    return [
      `  ${paint(severityStyle[severity], severity.padEnd(8))} ${first}`,
      ...rest.map((line) => `          ${line}`),
      ...wrap(`→ ${advice}`, columns - 10, '          ').map((line) => paint('dim', line)),
    ];
  });
  const more = sorted.length - shown.length;
  return more > 0 ? [...lines, `  and ${count(more, 'more finding')}`] : lines;
}

/** The worst first; of those that are accepted without a flag only a few, unless all are asked for. */
function episodes(verdicts: readonly EpisodeVerdict[], options: TableOptions, paint: Paint): string[] {
  const sorted = [...verdicts].sort(worstFirst);
  const notable = sorted.filter(
    ({ decision, flags, findings }) => decision !== 'accept' || flags.length > 0 || findings.length > 0,
  ).length;
  const rows = Math.min(options.rows, Math.max(notable, options.all ? sorted.length : fineShown));
  const shown = sorted.slice(0, rows);
  const width = Math.min(40, Math.max(7, ...shown.map(({ id }) => printableName(id).length)));
  const lines = shown.flatMap((verdict) => episodeLines(verdict, width, options, paint));
  const head = `  ${'decision'.padEnd(8)}  score  graded  ${'episode'.padEnd(width)}  what was seen`;
  return [paint('dim', head), ...lines, ...unlisted(sorted.slice(rows), paint)];
}

const fineShown = 3;

function unlisted(rest: readonly EpisodeVerdict[], paint: Paint): string[] {
  if (rest.length === 0) return [];
  const fine = rest.every(({ decision, flags }) => decision === 'accept' && flags.length === 0);
  const what = fine ? 'accepted without a flag' : 'none worse';
  return [paint('dim', `  and ${count(rest.length, 'more episode')}, ${what} (--all lists them)`)];
}

function episodeLines(verdict: EpisodeVerdict, width: number, options: TableOptions, paint: Paint): string[] {
  const facts = [
    paint(decisionStyle[verdict.decision], verdict.decision.padEnd(8)),
    (verdict.score === null ? '–' : verdict.score.toFixed(2)).padStart(5),
    `${Math.round(verdict.graded_fraction * 100)} %`.padStart(6),
    shorten(printableName(verdict.id), width).padEnd(width),
  ].join('  ');
  const indent = ' '.repeat(29 + width);
  const [first = '', ...rest] = seen(verdict, options.columns - indent.length);
  return [`  ${facts}  ${first}`.trimEnd(), ...rest.map((line) => indent + line)];
}

function shorten(text: string, width: number): string {
  return text.length <= width ? text : `…${text.slice(1 - width)}`;
}

const flagsShown = 4;
const flagRank = { blocking: 0, warning: 1, info: 2 } as const;
const findingsOfEpisodeShown = 2;

/** What its files got wrong, then a line a flag: blocking ones first. */
function seen(verdict: EpisodeVerdict, width: number): string[] {
  return [...fileFaults(verdict, width), ...flagged(verdict, width)];
}

function fileFaults({ findings }: EpisodeVerdict, width: number): string[] {
  const worst = findings.toSorted((a, b) => findingRank[a.severity] - findingRank[b.severity]);
  const shown = worst.length > findingsOfEpisodeShown ? worst.slice(0, findingsOfEpisodeShown - 1) : worst;
  const lines = shown.flatMap(({ code, severity, message }) =>
    wrap(message ?? words(code), Math.max(30, width - 2), '').map(
      (line, i) => (i > 0 ? '  ' : severity === 'blocking' ? '✗ ' : '! ') + line,
    ),
  );
  return shown.length < worst.length
    ? [...lines, `! and ${worst.length - shown.length} more that its receipt names`]
    : lines;
}

function flagged(verdict: EpisodeVerdict, width: number): string[] {
  const flags = [...verdict.flags].sort((a, b) => flagRank[a.severity] - flagRank[b.severity]);
  const lines = flags.slice(0, flagsShown).flatMap(({ code, severity, message }) => {
    const mark = severity === 'blocking' ? '✗ ' : severity === 'warning' ? '· ' : 'i ';
    const wrapped = wrap(
      `${words(code)}${message === null ? '' : `: ${message}`}`,
      Math.max(30, width - 2),
      '',
    );
    return wrapped.map((line, i) => (i === 0 ? mark : '  ') + line);
  });
  const unsaid = flags.length === 0 && verdict.findings.length === 0 && verdict.decision !== 'accept';
  if (unsaid && verdict.reason !== null) {
    return wrap(verdict.reason, Math.max(30, width), '');
  }
  const more = flags.length - flagsShown;
  return more > 0 ? [...lines, `· and ${count(more, 'more flag')}`] : lines;
}

/** Every flag once, with what to do about it, most frequent first. */
function whatToDo(verdicts: readonly EpisodeVerdict[], options: TableOptions, paint: Paint): string[] {
  const counts = new Map<string, number>();
  for (const { flags } of verdicts) {
    for (const code of new Set(flags.map((flag) => flag.code))) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const lines = sorted.flatMap(([code, number]) => {
    const row = options.flags.get(code);
    const head = `  ${paint('bold', words(code))} (${count(number, 'episode')}${row?.severity === 'blocking' ? ', blocking' : ''})`;
    return row === undefined ? [head] : [head, ...wrap(row.advice, options.columns - 6, '    ')];
  });
  return lines.length === 0 ? [] : [paint('bold', 'What to do'), ...lines];
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
