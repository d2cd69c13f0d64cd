import { basename } from 'node:path';
import { codeTitle } from '#core/titles';
import { deliveryRows, projectRows, type RunRow, type Store, sourceRows, type TenantScope } from '#store';
import { type NotificationStore, raiseEvent } from '../../notifications/raise-event.ts';

/** Maximum number of reasons named in a message; the data of the event has all. */
const maxReasons = 3;

/** Raises `run.finished` for a run that has just ended, in the transaction that ends it. */
export async function reportRunEnd(store: NotificationStore, run: RunRow): Promise<void> {
  const { id: run_id, project_id, source_id, status, accepted, to_review, rejected } = run;
  await raiseEvent(store, run, { type: 'run.finished', project_id }, async () => ({
    message: `${await nameRun(store, run)} ${describeEnd(run)}`,
    links: linksOf(run),
    data: {
      ...{ run_id, source_id, run_type: run.type, status },
      episodes: run.episodes_judged,
      decisions: { accept: accepted, review: to_review, reject: rejected },
      error_code: run.error?.code ?? null,
    },
  }));
}

function describeEnd({ status, error, episodes_judged, accepted, to_review, rejected }: RunRow): string {
  if (status === 'failed') return `failed${error === null ? '' : ` (${error.code})`}.`;
  if (status === 'cancelled') return 'was cancelled.';
  const result = `${countEpisodes(episodes_judged)}, ${accepted} accepted, ${to_review} to review, ${rejected} rejected`;
  return `finished${status === 'partial' ? '; some recordings could not be read' : ''}: ${result}.`;
}

/**
 * Raises `set.not_usable` and `review_queue.filled` where they apply to a run whose episodes have all been judged, in the
 * transaction that stores its verdict and before the run's row is updated.
 */
export async function reportJudged(
  store: NotificationStore,
  run: RunRow,
  { usability }: Pick<RunRow, 'usability'>,
): Promise<void> {
  const { id: run_id, project_id, source_id } = run;
  if (usability?.verdict === 'not_usable') {
    const reasons = usability.reasons.map(({ code }) => code);
    await raiseEvent(store, run, { type: 'set.not_usable', project_id }, async () => ({
      message: `The recordings of ${await nameSource(store, run)} cannot be used for training${describeReasons(reasons)}.`,
      links: linksOf(run),
      data: { run_id, source_id, reasons },
    }));
  }
  const episodes = await deliveryRows.noteReviewQueue(scopeOf(store, run), project_id);
  if (episodes === null) return;
  await raiseEvent(store, run, { type: 'review_queue.filled', project_id }, async () => ({
    message: `${countEpisodes(episodes)} of ${await nameProject(store, run)} ${episodes === 1 ? 'waits' : 'wait'} for review.`,
    links: {
      web: `/projects/${project_id}/review`,
      api: `/v1/projects/${project_id}/episodes?decision=review&review_decision=none,review`,
    },
    data: { run_id, episodes },
  }));
}

/** Notes an empty review queue before episodes of a run are judged, so that filling it is reported. */
export async function noteQueueBefore(
  store: Pick<Store, 'database'>,
  run: Pick<RunRow, 'tenant_id' | 'project_id'>,
): Promise<void> {
  await deliveryRows.noteEmptyReviewQueue(scopeOf(store, run), run.project_id);
}

const countEpisodes = (count: number): string => `${count} ${count === 1 ? 'episode' : 'episodes'}`;

function describeReasons(codes: readonly string[]): string {
  if (codes.length === 0) return '';
  const named = codes.slice(0, maxReasons).map((code) => codeTitle(code).toLowerCase());
  return `: ${named.join(', ')}${codes.length > maxReasons ? ', …' : ''}`;
}

const scopeOf = (
  { database }: Pick<Store, 'database'>,
  { tenant_id }: Pick<RunRow, 'tenant_id'>,
): TenantScope => ({ sql: database.sql, tenant_id });

const linksOf = ({ id, project_id }: RunRow) => ({
  web: `/projects/${project_id}/runs/${id}`,
  api: `/v1/runs/${id}`,
});

async function nameRun(store: NotificationStore, run: RunRow): Promise<string> {
  return `${run.type === 'rescore' ? 'Re-evaluation' : 'Run'} of ${await nameSource(store, run)}`;
}

/** Returns the name of the run's source without its folder, and the name of its project. */
async function nameSource(store: NotificationStore, run: RunRow): Promise<string> {
  const source = await sourceRows.getSource(scopeOf(store, run), run.source_id);
  return `${source === null ? 'a deleted source' : basename(source.name)} in ${await nameProject(store, run)}`;
}

/** Returns the name of a project. */
async function nameProject(
  store: NotificationStore,
  { tenant_id, project_id }: Pick<RunRow, 'tenant_id' | 'project_id'>,
): Promise<string> {
  const project = await projectRows.getProject({ sql: store.database.sql, tenant_id }, project_id);
  return project?.name ?? 'a deleted project';
}
