import type { Run, Source } from '@assay/client';
import { Link } from '@tanstack/react-router';
import { useAct } from '../../api/use-act.ts';
import { useList } from '../../api/use-answer.ts';
import { Action } from '../../components/action.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Progress } from '../../components/progress.tsx';
import { bytes, count, plural, spaced, time } from '../../components/words.ts';
import { StartRun } from '../runs/start-run.tsx';
import { ResumeUpload } from './uploads/resume-upload.tsx';

interface SourceTableProps {
  readonly project_id: string;
  readonly sources: readonly Source[];
}

/** The sources, each with its newest run as it goes on, and what can be done with it. */
export function SourceTable({ project_id, sources }: SourceTableProps) {
  const runs = useList('list_runs', { project_id, limit: 100 }, { every_ms: 2000 });
  return (
    <DataTable
      caption="Sources"
      columns={columnsOf(runs.items)}
      rows={sources}
      keyOf={({ id }) => id}
      none="This project has no source yet. Send recordings from here, or name a folder that the service can read."
    />
  );
}

const placeOf = ({ location }: Source): string => {
  if (location.kind === 'folder') return location.path;
  return location.kind === 's3' ? `s3://${location.bucket}/${location.prefix}` : 'uploaded files';
};

const columnsOf = (runs: readonly Run[]): readonly Column<Source>[] => [
  {
    title: 'Source',
    wide: true,
    cell: (source) => (
      <>
        <b>{source.name}</b>
        <code className="row-note">{placeOf(source)}</code>
      </>
    ),
  },
  {
    title: 'State',
    cell: ({ state, location }) => (
      <>
        {state}
        {location.kind === 'upload' && location.expires_at !== null && (
          <span className="row-note">thrown away {time(location.expires_at)}</span>
        )}
      </>
    ),
  },
  {
    title: 'Files',
    number: true,
    cell: ({ files, bytes: size }) =>
      files === null ? '–' : `${count(files)}${size === null ? '' : `, ${bytes(size)}`}`,
  },
  {
    title: 'Newest run',
    cell: ({ id }) => <NewestRun run={runs.find(({ source_id }) => source_id === id)} />,
  },
  {
    title: 'Run it',
    wide: true,
    cell: (source) =>
      source.state === 'open' ? <ResumeUpload source={source} /> : <StartRun source={source} />,
  },
  { title: 'Control', cell: (source) => <Remove source={source} /> },
];

function NewestRun({ run }: { readonly run: Run | undefined }) {
  if (run === undefined) return <span className="faint">none yet</span>;
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
        <span className="row-note">{plural(episodes.judged, 'episode')} judged</span>
      )}
    </>
  );
}

/** Takes a source out; uploaded files are deleted, so it asks first. */
function Remove({ source: { id: source_id, name, state, location } }: { readonly source: Source }) {
  const remove = useAct('delete_source', ['list_sources']);
  if (state === 'gone') return null;
  const what =
    location.kind === 'upload' ? 'Its uploaded files are deleted.' : 'The recordings stay where they are.';
  return (
    <details className="sure">
      <summary aria-label={`Remove ${name}`}>Remove …</summary>
      <p className="advice">{what} Its runs and episodes stay.</p>
      <Action
        needs="engineer"
        look="danger"
        busy={remove.isPending}
        onAct={() => remove.mutate({ source_id })}
      >
        Remove the source
      </Action>
      {remove.error !== null && <Complaint error={remove.error} />}
    </details>
  );
}
