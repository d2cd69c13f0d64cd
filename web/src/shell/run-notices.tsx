import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Run } from '#client';
import { useAnswer } from '../api/use-answer.ts';
import { count, plural } from '../components/words.ts';

/** Interval in ms between requests for the latest runs. */
const every_ms = 3000;

interface RunState {
  /** Newest time in the first answer, by the clock of the service; `null` before it. Later ends have a notice. */
  readonly opened_at: string | null;
  /** Ends of runs in all answers; a run that is resumed ends again. */
  readonly ends: ReadonlySet<string>;
  /** Runs that ended since this page was opened and whose notice was not closed. */
  readonly notices: readonly Run[];
}

const isOpen = ({ status }: Run): boolean => status === 'queued' || status === 'running';

/**
 * Returns the state after an answer. A run has a notice if it ended after the first answer; an older one may come into the
 * list later, when another one leaves it. The run on the screen has none.
 */
function update(
  { opened_at, ends, notices }: RunState,
  runs: readonly Run[],
  runId: string | undefined,
): RunState {
  const since = opened_at ?? newestTime(runs);
  const ended = runs.filter((run) => !isOpen(run));
  const added = ended.filter((run) => !ends.has(endOf(run)) && (run.finished_at ?? '') > since);
  const byId = new Map([...notices, ...added].map((run) => [run.id, run]));
  if (runId !== undefined) byId.delete(runId);
  return { opened_at: since, ends: new Set([...ends, ...ended.map(endOf)]), notices: [...byId.values()] };
}

const endOf = ({ id, finished_at }: Run): string => `${id} ${finished_at}`;

const newestTime = (runs: readonly Run[]): string =>
  runs
    .flatMap(({ created_at, finished_at }) => [created_at, finished_at ?? ''])
    .reduce((newest, time) => (time > newest ? time : newest), '');

/** Notices of runs of a project that ended while the user looked at another screen. */
export function RunNotices({ project_id }: { readonly project_id: string }) {
  const { runId } = useParams({ strict: false });
  const runs = useAnswer('list_runs', { project_id, limit: 20 }, { every_ms });
  const [{ notices }, setState] = useState<RunState>({ opened_at: null, ends: new Set(), notices: [] });
  const { data, isPlaceholderData } = runs;
  useEffect(() => {
    if (data !== undefined && !isPlaceholderData) setState((before) => update(before, data.items, runId));
  }, [data, isPlaceholderData, runId]);
  const close = (closed: Run) =>
    setState((before) => ({ ...before, notices: before.notices.filter(({ id }) => id !== closed.id) }));
  return (
    <div className="notices" role="status">
      {notices.map((run) => (
        <p key={run.id} className="notice">
          {describeEnd(run)}{' '}
          <Link
            to="/projects/$projectId/runs/$runId"
            params={{ projectId: project_id, runId: run.id }}
            onClick={() => close(run)}
          >
            Open the run
          </Link>
          <button type="button" className="quiet" aria-label="Close this notice" onClick={() => close(run)}>
            ×
          </button>
        </p>
      ))}
    </div>
  );
}

function describeEnd({ status, decisions, episodes, error }: Run): string {
  if (status === 'cancelled') return 'A run was cancelled.';
  if (status === 'failed') return `A run failed${error === null ? '' : `: ${error.message}`}.`;
  const { accept, review, reject } = decisions;
  const result = `${plural(episodes.judged, 'episode')}: ${count(accept)} accepted, ${count(review)} to review, ${count(reject)} rejected`;
  return `${status === 'partial' ? 'A run ended early' : 'A run has finished'}. ${result}.`;
}
