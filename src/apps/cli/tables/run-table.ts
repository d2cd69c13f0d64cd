import { type AssayClient, type EpisodeSummary, type Run, type RunPlan, requestOf } from '#client';
import { codeTitle } from '#core/titles';
import { describeSetVerdict } from '#quality/report';
import { bytesInWords, count, grouped, secondsInWords } from '../words.ts';
import { wrap } from '../wrap.ts';

/** Renders a run plan: datasets, size, estimated compute time and cost. */
export function renderPlan({ datasets, episodes, bytes, estimate, findings }: RunPlan): string {
  const cost = estimate.cost_usd > 0 ? `, ${estimate.cost_usd} USD` : '';
  const parts = datasets.map(
    ({ path, format, version, episodes }) =>
      `  ${path === '' ? '.' : path}: ${version === null ? format : `${format} ${version}`}, ${count(episodes, 'episode')}`,
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

const maxListedEpisodes = 10;

/**
 * Renders a finished run: its error if it has one, else decisions, verdict, findings, the lowest-scoring episodes and
 * `where` to read on.
 */
export async function renderRun(
  client: AssayClient,
  run: Run,
  { columns, where }: { columns: number; where: string },
): Promise<string> {
  const { project_id, id, episodes, decisions, usability, loader, error, status } = run;
  const { accept, review, reject } = decisions;
  const head = `Run ${id} ${status}: ${count(episodes.judged, 'episode')}, ${grouped(accept)} accept, ${grouped(review)} review, ${grouped(reject)} reject`;
  if (error !== null) {
    return `${[head, ...wrap(error.message, columns, '  '), ...wrap(error.advice ?? '', columns, '  ')].join('\n')}\n`;
  }
  const findings = await client.runs.listFindings({ run_id: id, limit: maxListedEpisodes });
  const worst = await client.episodes.list({
    project_id,
    run_id: [id],
    sort: 'score',
    limit: maxListedEpisodes,
  });
  const all = episodes.judged + episodes.unreadable;
  const verdict = usability === null ? [] : wrap(describeSetVerdict(usability, all, loader), columns, '');
  return [
    head,
    ...verdict,
    ...findings.items.flatMap(({ severity, message }) =>
      wrap(`${severity.padEnd(8)} ${message}`, columns, '  '),
    ),
    ...(worst.items.length > 0 ? ['', 'Lowest scores'] : []),
    ...worst.items.map((episode) => `  ${episodeLine(episode, columns - 2)}`),
    '',
    where,
    '',
  ].join('\n');
}

function episodeLine(
  { decision, score, dataset_path, name, flags }: EpisodeSummary,
  columns: number,
): string {
  const place = dataset_path === '.' || dataset_path === '' ? name : `${dataset_path}/${name}`;
  const graded = score === null ? ' –  ' : score.toFixed(2);
  return `${decision.padEnd(6)}  ${graded}  ${place}  ${flags.map(codeTitle).join(', ')}`.slice(0, columns);
}

/** Returns the URLs of the report and the episodes of a run. Browsers ask for a password, which is the token. */
export function runAddresses({ address }: AssayClient, { id, project_id }: Run): string {
  const report = requestOf('get_run_report', { run_id: id, file: 'index.html' });
  const episodes = requestOf('list_episodes', { project_id });
  return [
    `Report:   ${address}${report.path}  (sign in with any user name and the token as password)`,
    `Episodes: ${address}${episodes.path}`,
  ].join('\n');
}
