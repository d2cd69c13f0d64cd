import { Link } from '@tanstack/react-router';
import type { Run, Source } from '#client';
import { useAct } from '../../api/use-act.ts';
import { useList } from '../../api/use-answer.ts';
import { Action } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Progress } from '../../components/progress.tsx';
import { bytes, plural, spaced, time } from '../../components/words.ts';
import { StartRun } from '../runs/start-run.tsx';
import { ResumeUpload } from './uploads/resume-upload.tsx';

interface SourceListProps {
  readonly project_id: string;
  readonly sources: readonly Source[];
}

/** List of sources, each with its latest run and actions. */
export function SourceList({ project_id, sources }: SourceListProps) {
  const runs = useList('list_runs', { project_id, limit: 100 }, { every_ms: 2000 });
  if (sources.length === 0)
    return <p className="empty">No sources yet. Upload recordings, or add a path or address below.</p>;
  return (
    <ul className="source-list" aria-label="Sources">
      {sources.map((source) => (
        <li key={source.id}>
          <div>
            <b>{source.name}</b>
            <code className="row-note">{placeOf(source)}</code>
            <span className="row-note">{factsOf(source)}</span>
          </div>
          <div>
            {runs.data !== undefined && (
              <NewestRun run={runs.data.find(({ source_id }) => source_id === source.id)} />
            )}
          </div>
          <div>
            {source.state === 'open' ? <ResumeUpload source={source} /> : <StartRun source={source} />}
          </div>
          <Remove source={source} />
        </li>
      ))}
    </ul>
  );
}

const placeOf = ({ location }: Source): string => {
  if (location.kind === 'folder') return location.path;
  return location.kind === 's3' ? `s3://${location.bucket}/${location.prefix}` : 'uploaded files';
};

const stateWords = { open: 'upload in progress', ready: 'ready', gone: 'removed' } as const;

function factsOf({ state, files, bytes: size, location }: Source): string {
  const facts = [
    stateWords[state],
    files === null ? '' : plural(files, 'file'),
    size === null ? '' : bytes(size),
    location.kind === 'upload' && location.expires_at !== null
      ? `expires ${time(location.expires_at)} unless you resume it`
      : '',
  ];
  return facts.filter(Boolean).join(', ');
}

function NewestRun({ run }: { readonly run: Run | undefined }) {
  if (run === undefined) return <span className="faint">not run yet</span>;
  const { id, project_id, status, stage, episodes } = run;
  const isOpen = status === 'queued' || status === 'running';
  return (
    <>
      <Link to="/projects/$projectId/runs/$runId" params={{ projectId: project_id, runId: id }}>
        {isOpen ? `${spaced(status)}: ${spaced(stage)}` : spaced(status)}
      </Link>
      {isOpen ? (
        <Progress label="Measured" done={episodes.measured} total={episodes.expected} />
      ) : (
        <span className="row-note">{plural(episodes.judged, 'episode')} evaluated</span>
      )}
    </>
  );
}

/** Button that removes a source, with a confirmation, since uploaded files are deleted. */
function Remove({ source: { id: source_id, name, state, location } }: { readonly source: Source }) {
  const remove = useAct('delete_source', ['list_sources']);
  if (state === 'gone') return <span />;
  const what =
    location.kind === 'upload' ? 'This deletes the uploaded files.' : 'The recordings stay where they are.';
  return (
    <details className="sure">
      <summary aria-label={`Remove ${name}`}>Remove…</summary>
      <p className="advice">{what} Its runs and episodes are kept.</p>
      <Action
        needs="engineer"
        look="danger"
        busy={remove.isPending}
        onAct={() => remove.mutate({ source_id })}
      >
        Remove source
      </Action>
      {remove.error !== null && <Complaint error={remove.error} />}
    </details>
  );
}
