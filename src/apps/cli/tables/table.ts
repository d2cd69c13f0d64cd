import { codeTitle } from '#core/titles';
import {
  type AssessmentResult,
  type DatasetSummary,
  type EpisodeVerdict,
  verdictPattern,
  worstFirst,
} from '#engine/local';
import type { ReaderOutcome } from '#formats/rules';
import type { FlagRow } from '#quality/readiness';
import {
  collectIssues,
  describeOverall,
  describeSetVerdict,
  formatEpisodes,
  repeatsMessage,
} from '#quality/report';
import { count, grouped, printableName, wrap } from '../text.ts';
import { findingLines, findingRank } from './finding-lines.ts';
import { decisionStyle, type Paint, painter } from './paint.ts';

/** Renders the result of `assay assess` as text. */
export function renderTable(result: AssessmentResult, options: TableOptions): string {
  const paint = painter(options.colours);
  const out: string[] = [];
  result.datasets.forEach((dataset, index) => {
    out.push(
      '',
      ...header(dataset, options, result.datasets.length === 1, paint),
      ...findingLines(dataset.findings, options.columns, paint),
    );
    const verdicts = result.verdicts.filter((verdict) => verdict.dataset === index);
    if (verdicts.length > 0) out.push('', ...episodeLines(verdicts, options, paint));
  });
  if (result.findings.length > 0) out.push('', ...findingLines(result.findings, options.columns, paint));
  const legend = adviceLines(result, options, paint);
  if (legend.length > 0) out.push('', ...legend);
  out.push('', totals(result, options.columns, paint), '');
  return out.slice(1).join('\n');
}

function header(
  dataset: DatasetSummary,
  { path, columns }: TableOptions,
  isOnly: boolean,
  paint: Paint,
): string[] {
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
    ...(isOnly ? [] : usability(dataset, columns, paint)),
  ];
}

/** Renders the verdict on one of several datasets. */
function usability(dataset: DatasetSummary, columns: number, paint: Paint): string[] {
  const { episodes, unreadable, decisions, loads } = dataset;
  const counts = { all: episodes + unreadable, to_review: decisions.review };
  const text = describeSetVerdict(dataset.usability, counts, loads?.reader ?? null);
  const style = verdictStyle[dataset.usability.verdict];
  return wrap(text, columns - 2, '  ').map((line) => paint(style, line));
}

const doing: Record<ReaderOutcome, string> = {
  refuses_set: 'cannot open the dataset',
  refuses_rows: 'fails on some rows',
  serves_wrong_rows: 'returns wrong rows',
  loads: 'loads',
};

type Rule = NonNullable<DatasetSummary['loads']>['why'][number];

/** Describes a violated rule: `video missing in 96 episodes`. */
const ruleText = ({ rule, episodes }: Rule): string =>
  `${codeTitle(rule)}${episodes === null ? '' : ` in ${count(episodes, 'episode')}`}`;

/**
 * Renders whether the loader loads the dataset: `loads in LeRobot v3.0: no, it cannot open the dataset (episodes
 * missing)`; unless it is the format's own, also why it was chosen and the answers of the others. Empty without a verdict.
 */
function loads({ loads: verdict }: DatasetSummary, columns: number, paint: Paint): string[] {
  if (verdict === null) return [];
  const { choice, marker, others } = verdict;
  const chosen =
    choice === 'default' ? '' : ` (${marker === null ? 'chosen by --loader' : `chosen for ${marker}`})`;
  const own = wrap(answerText(verdict, chosen), columns - 2, '  ');
  const informative =
    choice === 'default' ? [] : others.flatMap((other) => wrap(answerText(other, ''), columns - 2, '  '));
  return [
    ...own.map((line) => (verdict.loads === 'yes' ? line : paint('red', line))),
    ...informative.map((line) => paint('dim', line)),
  ];
}

type Answer = Pick<NonNullable<DatasetSummary['loads']>, 'reader' | 'loads' | 'why'>;

/** Describes whether a loader loads a dataset, with at most four reasons. */
function answerText({ reader, loads: answer, why }: Answer, chosen: string): string {
  const reasons = [...Map.groupBy(why.slice(0, 4), ({ does }) => does)].map(([does, rules]) => {
    const [{ episodes }] = rules;
    const where = rules.length > 1 || episodes === null ? '' : ` for ${count(episodes, 'episode')}`;
    const named = rules.map((rule) => (rules.length > 1 ? ruleText(rule) : codeTitle(rule.rule)));
    return `it ${doing[does]}${where} (${named.join(', ')})`;
  });
  const more = why.length > 4 ? [`and ${count(why.length - 4, 'more rule')}`] : [];
  return [`loads in ${reader}${chosen}: ${answer}`, ...reasons, ...more].join(', ');
}

function totals(result: AssessmentResult, columns: number, paint: Paint): string {
  const { verdicts, decisions, settings, unreadable, incomplete, usability } = result;
  const missing = incomplete.reduce((sum, { episodes }) => sum + episodes, 0);
  const lost = [
    ...(unreadable > 0 ? [`, ${grouped(unreadable)} unreadable`] : []),
    ...(missing > 0 ? [`, ${grouped(missing)} not measured on this machine`] : []),
  ].join('');
  const sum = `${count(verdicts.length, 'episode')}: ${grouped(decisions.accept)} accept, ${grouped(decisions.review)} review, ${grouped(decisions.reject)} reject${lost}`;
  const under = `evaluated with ${settings.name} settings (${settings.hash.slice(0, 8)})`;
  const style = verdictStyle[usability.verdict];
  const verdict = wrap(describeOverall(result), columns, '').map((line) => paint(style, line));
  return [paint('bold', sum), paint('dim', under), ...(incomplete.length > 0 ? [] : verdict)].join('\n');
}

const verdictStyle = { usable: 'green', usable_after_fix: 'yellow', not_usable: 'red' } as const;

/** Renders each issue once for each dataset with its advice, most frequent first. An advice is printed once. */
function adviceLines(
  { verdicts, datasets }: AssessmentResult,
  { flags, columns }: TableOptions,
  paint: Paint,
): string[] {
  const advised = new Set<string>();
  const lines = collectIssues(verdicts, flags).flatMap((issue) => {
    const { code, severity, advice } = issue;
    const where = datasets.length > 1 ? `${printableName(datasets[issue.dataset].path)}, ` : '';
    const grave = severity === 'blocking' ? ', blocking' : '';
    const [first, ...rest] = wrap(
      `${codeTitle(code)}: ${where}${formatEpisodes(issue)}${grave}`,
      columns - 2,
      '  ',
    );
    const head = [first.replace(codeTitle(code), paint('bold', codeTitle(code))), ...rest];
    if (advice === '' || advised.has(advice)) return head;
    advised.add(advice);
    return [...head, ...wrap(`→ ${advice}`, columns - 6, '    ')];
  });
  return lines.length === 0 ? [] : [paint('bold', 'What to do'), ...lines];
}

/** Episodes with the same decision and reasons, worst first; most groups have one. */
type Group = readonly EpisodeVerdict[];

/**
 * Renders episodes worst first, similar ones in one row and at most `maxFineRows` without any flag. With `options.all`
 * every episode has a row.
 */
function episodeLines(verdicts: readonly EpisodeVerdict[], options: TableOptions, paint: Paint): string[] {
  const sorted = [...verdicts].sort(worstFirst);
  const groups = options.all ? sorted.map((verdict) => [verdict]) : groupSimilar(sorted);
  const notable = groups.filter(([verdict]) => !isFine(verdict)).length;
  const rows = Math.min(options.rows, Math.max(notable, options.all ? groups.length : maxFineRows));
  const visibleGroups = groups.slice(0, rows);
  const width = Math.min(40, Math.max(7, ...visibleGroups.map((group) => nameOf(group).length)));
  const lines = visibleGroups.flatMap((group) => groupLines(group, width, options, paint));
  const head = `  ${'decision'.padEnd(8)}  score  evaluated  ${'episode'.padEnd(width)}  issues`;
  return [paint('dim', head), ...lines, ...remainderLines(groups.slice(rows).flat(), paint)];
}

const maxFineRows = 3;
/** Minimum number of similar episodes that are merged into one row. */
const minGrouped = 3;

const isFine = ({ decision, flags, findings }: EpisodeVerdict): boolean =>
  decision === 'accept' && flags.length === 0 && findings.length === 0;

function groupSimilar(sorted: readonly EpisodeVerdict[]): Group[] {
  const groups = new Map<string, EpisodeVerdict[]>();
  for (const verdict of sorted) {
    const shape = verdictPattern(verdict);
    const group = groups.get(shape);
    if (group === undefined) groups.set(shape, [verdict]);
    else group.push(verdict);
  }
  return [...groups.values()]
    .flatMap((group) =>
      group.length < minGrouped || isFine(group[0]) || hasNoReasons(group[0])
        ? group.map((verdict) => [verdict])
        : [group],
    )
    .sort(([a], [b]) => worstFirst(a, b));
}

/** Returns `true` if the verdict has a score but no flags or findings; such episodes are not grouped. */
const hasNoReasons = ({ flags, findings }: EpisodeVerdict): boolean => flags.length + findings.length === 0;

function remainderLines(rest: readonly EpisodeVerdict[], paint: Paint): string[] {
  if (rest.length === 0) return [];
  const fine = rest.every(({ decision, flags }) => decision === 'accept' && flags.length === 0);
  const what = fine ? 'accepted without flags' : 'no worse than those above';
  return [paint('dim', `  and ${count(rest.length, 'more episode')}, ${what} (--all lists them)`)];
}

function groupLines(group: Group, width: number, options: TableOptions, paint: Paint): string[] {
  const [verdict] = group;
  const facts = [
    paint(decisionStyle[verdict.decision], verdict.decision.padEnd(8)),
    smallestText(group, ({ score }) => (score === null ? '–' : score.toFixed(2))).padStart(5),
    smallestText(group, ({ graded_fraction }) => `${Math.round(graded_fraction * 100)} %`).padStart(9),
    shorten(nameOf(group), width).padEnd(width),
  ].join('  ');
  const indent = ' '.repeat(32 + width);
  const withAdvice = group.find(({ flags, findings }) =>
    [...flags, ...findings].some(({ message }) => message !== null),
  );
  const [first = '', ...rest] = observationLines(withAdvice ?? verdict, options.columns - indent.length);
  const one =
    group.length > 1 && withAdvice !== undefined ? [`(example: ${printableName(withAdvice.id)})`] : [];
  return [`  ${facts}  ${first}`.trimEnd(), ...[...rest, ...one].map((line) => indent + line)];
}

/** Returns the text common to all members, or `≥` and that of the first, worst member. */
function smallestText(group: Group, text: (verdict: EpisodeVerdict) => string): string {
  const first = text(group[0]);
  return group.every((verdict) => text(verdict) === first) ? first : `≥${first}`;
}

function nameOf(group: Group): string {
  if (group.length === 1) return printableName(group[0].id);
  return formatEpisodes({ episodes: group.map(({ index }) => index).sort((a, b) => a - b) }, 3);
}

function shorten(text: string, width: number): string {
  return text.length <= width ? text : `…${text.slice(1 - width)}`;
}

const maxListedFlags = 4;
const flagRank = { blocking: 0, warning: 1, info: 2 } as const;
const maxListedFindings = 2;

/** Renders the findings on the files of an episode, then its flags, blocking ones first. */
function observationLines(verdict: EpisodeVerdict, width: number): string[] {
  return [...fileFindingLines(verdict, width), ...flagLines(verdict, width)];
}

function fileFindingLines({ findings, flags }: EpisodeVerdict, width: number): string[] {
  const unsaid = findings.filter(
    (finding) => !flags.some((flag) => repeatsMessage(finding.message, flag.message)),
  );
  const worst = unsaid.toSorted((a, b) => findingRank[a.severity] - findingRank[b.severity]);
  const visibleFindings = worst.length > maxListedFindings ? worst.slice(0, maxListedFindings - 1) : worst;
  const lines = visibleFindings.flatMap(({ code, severity, message }) =>
    wrap(message ?? codeTitle(code), Math.max(30, width - 2), '').map(
      (line, i) => (i > 0 ? '  ' : severity === 'blocking' ? '✗ ' : '! ') + line,
    ),
  );
  return visibleFindings.length < worst.length
    ? [...lines, `! and ${worst.length - visibleFindings.length} more in the receipt of the episode`]
    : lines;
}

function flagLines(verdict: EpisodeVerdict, width: number): string[] {
  const flags = [...verdict.flags].sort((a, b) => flagRank[a.severity] - flagRank[b.severity]);
  const lines = flags.slice(0, maxListedFlags).flatMap(({ code, severity, message }) => {
    const mark = severity === 'blocking' ? '✗ ' : severity === 'warning' ? '· ' : 'i ';
    const wrapped = wrap(
      `${codeTitle(code)}${message === null ? '' : `: ${message}`}`,
      Math.max(30, width - 2),
      '',
    );
    return wrapped.map((line, i) => (i === 0 ? mark : '  ') + line);
  });
  const more = flags.length - maxListedFlags;
  if (more > 0) lines.push(`· and ${count(more, 'more flag')}`);
  if (verdict.reason !== null && !explainsDecision(verdict))
    lines.push(...wrap(verdict.reason, Math.max(30, width), ''));
  return lines;
}

/** True if the flags and findings of an episode say why it was not accepted: not those that change no decision. */
function explainsDecision({ decision, flags, findings }: EpisodeVerdict): boolean {
  return (
    decision === 'accept' ||
    flags.some(({ severity }) => severity !== 'info') ||
    findings.some(({ severity }) => severity === 'error' || severity === 'blocking')
  );
}

export interface TableOptions {
  readonly path: string;
  readonly columns: number;
  readonly colours: boolean;
  /** Maximum number of episode rows for each dataset, worst first. */
  readonly rows: number;
  /** Lists every episode, those without flags as well. */
  readonly all: boolean;
  /** Flag definitions by code. */
  readonly flags: ReadonlyMap<string, FlagRow>;
}
