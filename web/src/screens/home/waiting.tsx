import { Link } from '@tanstack/react-router';
import type { Run } from '#client';
import { useAnswer } from '../../api/use-answer.ts';
import { plural } from '../../components/words.ts';

interface WaitingProps {
  readonly project_id: string;
  readonly every_ms: number;
}

/** Open tasks of a project: episodes to review, failed runs and unsealed exports. */
export function Waiting({ project_id, every_ms }: WaitingProps) {
  const review = useAnswer(
    'summarise_project',
    { project_id, decision: ['review'], review_decision: ['none', 'review'] },
    { every_ms },
  );
  const runs = useAnswer('list_runs', { project_id, limit: 100 });
  const exports = useAnswer('list_exports', { project_id, status: 'succeeded', limit: 100 });
  if (review.data === undefined || runs.data === undefined || exports.data === undefined) return '…';
  const { episodes } = review.data;
  const failed = failedRuns(runs.data.items);
  const unsealed = exports.data.items.length;
  if (episodes + failed.length + unsealed === 0) return <span className="faint">nothing</span>;
  const params = { projectId: project_id };
  return (
    <ul className="waits">
      {episodes > 0 && (
        <li>
          <Link to="/projects/$projectId/review" params={params}>
            {plural(episodes, 'episode')} to review
          </Link>
        </li>
      )}
      {failed.length > 0 && (
        <li>
          <Link to="/projects/$projectId/runs" params={params}>
            {plural(failed.length, 'run')} failed
          </Link>
        </li>
      )}
      {unsealed > 0 && (
        <li>
          <Link to="/projects/$projectId/exports" params={params}>
            {plural(unsealed, 'export')} to seal
          </Link>
        </li>
      )}
    </ul>
  );
}

/** Returns the latest run of each source if it failed or finished partly. `runs` are newest first. */
function failedRuns(runs: readonly Run[]): readonly Run[] {
  const newest = new Map<string, Run>();
  for (const run of runs) if (!newest.has(run.source_id)) newest.set(run.source_id, run);
  return [...newest.values()].filter(({ status }) => status === 'failed' || status === 'partial');
}
