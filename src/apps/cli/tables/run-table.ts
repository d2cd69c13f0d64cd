import type { AssayClient, Episode, Run, RunPlan } from '#client';
import { codeTitle } from '#core/titles';
import { describeSetVerdict } from '#quality/report';
import { reasonText } from '#quality/report/views';
import type { Io } from '../io.ts';
import { bytesInWords, count, grouped, secondsInWords, wrap } from '../text.ts';
import { findingLines } from './finding-lines.ts';
import { decisionStyle, type Paint, painter } from './paint.ts';

/** Renders a run plan: datasets, size, estimated compute time and cost. */
export function renderPlan({ datasets, episodes, bytes, estimate, findings }: RunPlan): string {
  const cost = estimate.cost_usd > 0 ? `, ${estimate.cost_usd} USD` : '';
  const parts = datasets.map(
    ({ path, format, version, episodes }) =>
      `  ${isTop(path) ? '' : `${path}: `}${version === null ? format : `${format} ${version}`}, ${count(episodes, 'episode')}`,
  );
  const listedEpisodes =
    parts.length > 8 ? [...parts.slice(0, 7), `  and ${count(parts.length - 7, 'more dataset')}`] : parts;
  return [
    `Plan: ${count(episodes, 'episode')}, ${bytesInWords(bytes)}, about ${secondsInWords(estimate.compute_s)} of compute time (${secondsInWords(estimate.low_s)} to ${secondsInWords(estimate.high_s)})${cost}`,
    ...listedEpisodes,
    ...(findings.length > 0 ? [`  ${count(findings.length, 'finding')} while listing the files`] : []),
    '',
  ].join('\n');
}

/** True if a dataset is the folder of the source itself. */
const isTop = (path: string): boolean => path === '' || path === '.';

const maxListedFindings = 100;
const maxListedEpisodes = 10;
const maxColumns = 160;

/**
 * Renders a run whose episodes are evaluated: its error if it has one, else decisions, verdict, findings, the episodes with the lowest scores
 * and why, and `where` to read on.
 */
export async function renderRun(
  client: AssayClient,
  run: Run,
  io: Pick<Io, 'columns' | 'colours'>,
  where: string,
): Promise<string> {
  const { project_id, id, episodes, decisions, usability, loader, error } = run;
  const columns = Math.max(60, Math.min(io.columns, maxColumns));
  const paint = painter(io.colours);
  const { accept, review, reject } = decisions;
  const status = run.status === 'succeeded' || run.status === 'running' ? '' : ` ${run.status}`;
  const head = `Run ${id}${status}: ${count(episodes.judged, 'episode')}, ${grouped(accept)} accept, ${grouped(review)} review, ${grouped(reject)} reject`;
  if (error !== null) {
    return `${[head, ...wrap(error.message, columns, '  '), ...wrap(error.advice ?? '', columns, '  ')].join('\n')}\n`;
  }
  const { items: findings } = await client.runs.listFindings({ run_id: id, limit: maxListedFindings });
  const worst = await listWorstEpisodes(client, { project_id, run_id: id });
  const counts = { all: episodes.judged + episodes.unreadable, to_review: review };
  const verdict = usability === null ? [] : wrap(describeSetVerdict(usability, counts, loader), columns, '');
  return [
    paint('bold', head),
    ...verdict,
    ...(findings.length > 0 ? ['', ...findingLines(findings, columns, paint)] : []),
    ...(worst.length > 0 ? ['', paint('bold', 'Lowest scores')] : []),
    ...groupAlike(worst).flatMap((episodes) => groupLines(episodes, columns, paint)),
    ...adviceLines(worst, columns, paint),
    '',
    where,
    '',
  ].join('\n');
}

/** Returns the episodes with the lowest scores that were not accepted, with their flags. */
async function listWorstEpisodes(
  client: AssayClient,
  { project_id, run_id }: { readonly project_id: string; readonly run_id: string },
): Promise<readonly Episode[]> {
  const { items } = await client.episodes.list({
    ...{ project_id, run_id: [run_id], decision: ['review', 'reject'] },
    ...{ sort: 'score', limit: maxListedEpisodes },
  });
  return Promise.all(items.map(({ id }) => client.episodes.get({ episode_id: id })));
}

/** Groups episodes that have the same decision for the same flags. */
function groupAlike(episodes: readonly Episode[]): readonly Episode[][] {
  const reasons = ({ decision, dataset_path, flag_details }: Episode) =>
    [decision, dataset_path, ...new Set(flag_details.map(({ code }) => code))].join(' ');
  return [...Map.groupBy(episodes, reasons).values()];
}

/** Renders the first episode of a group and what is wrong with it, and names the others. */
function groupLines([first, ...others]: readonly Episode[], columns: number, paint: Paint): string[] {
  if (others.length < 2)
    return [first, ...others].flatMap((episode) => episodeLines(episode, columns, paint));
  const names = `and ${others.length} more with the same flags: ${others.map(({ name }) => name).join(', ')}`;
  return [
    ...episodeLines(first, columns, paint),
    ...wrap(names, columns - reasonIndent.length, reasonIndent),
  ];
}

const reasonIndent = ' '.repeat(16);

/** Renders an episode and what is wrong with it, one line for each flag. */
function episodeLines(episode: Episode, columns: number, paint: Paint): string[] {
  const { decision, score, dataset_path, name, flag_details } = episode;
  const path = isTop(dataset_path) ? name : `${dataset_path}/${name}`;
  const scored = score === null ? ' –  ' : score.toFixed(2);
  const reasons = flag_details
    .filter(({ severity }) => severity !== 'info')
    .map(
      ({ code, severity, message }) =>
        `${severity === 'blocking' ? '✗' : '·'} ${codeTitle(code)}: ${message}`,
    );
  return [
    `  ${paint(decisionStyle[decision], decision.padEnd(6))}  ${scored}  ${path}`,
    ...(reasons.length > 0 ? reasons : [reasonText(episode.decision_reason)]).flatMap((reason) =>
      wrap(reason, columns - reasonIndent.length, reasonIndent),
    ),
  ];
}

/** Renders what to do about the flags of the listed episodes, each once. */
function adviceLines(episodes: readonly Episode[], columns: number, paint: Paint): string[] {
  const flags = episodes.flatMap(({ flag_details }) => flag_details);
  const advice = new Map(
    flags.filter(({ severity }) => severity !== 'info').map((flag) => [flag.code, flag.advice]),
  );
  if (advice.size === 0) return [];
  const lines = [...advice].flatMap(([code, text]) => [
    `  ${paint('bold', codeTitle(code))}`,
    ...wrap(`→ ${text}`, columns - 6, '    '),
  ]);
  return ['', paint('bold', 'What to do'), ...lines];
}

/** Returns the pages of a run and its episodes in the web application. */
export function runAddresses({ address }: AssayClient, { id, project_id }: Run): string {
  const project = `${address}/projects/${project_id}`;
  return `Run:      ${project}/runs/${id}\nEpisodes: ${project}/episodes`;
}
