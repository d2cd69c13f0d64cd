import { getRouteApi } from '@tanstack/react-router';
import { type Export, requestOf } from '#client';
import { useAct } from '../../api/use-act.ts';
import { useList } from '../../api/use-answer.ts';
import { Action } from '../../components/action.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { bytes, count, spaced, time } from '../../components/words.ts';
import { NewExport } from './new-export.tsx';

const route = getRouteApi('/projects/$projectId/exports');

/** Screen of the project's exports: create, seal and download. */
export function ExportsScreen() {
  const { projectId: project_id } = route.useParams();
  const exports = useList('list_exports', { project_id, limit: 50 }, { every_ms: 2000 });
  return (
    <Page
      title="Exports"
      note="Seal an export to approve it: it can then no longer change, and only an admin can delete it."
    >
      <NewExport project_id={project_id} />
      <Panel title="All exports">
        <Loaded of={exports} what="the exports">
          {(items) => (
            <DataTable
              caption="Exports"
              columns={columns}
              rows={items}
              keyOf={({ id }) => id}
              none="No exports yet."
            />
          )}
        </Loaded>
        <More list={exports} what="exports" />
      </Panel>
    </Page>
  );
}

const columns: readonly Column<Export>[] = [
  {
    title: 'Format',
    cell: ({ format, certification }) => (
      <>
        <b>{format}</b>
        {certification?.origin === 'local_report_import' && (
          <span className="faint"> imported report, without receipts</span>
        )}
      </>
    ),
  },
  { title: 'Created', cell: ({ created_at }) => time(created_at) },
  {
    title: 'Status',
    cell: ({ status, error, waiting }) => (
      <>
        {spaced(status)}
        {error !== null && <p className="faint">{error.message}</p>}
        {waiting !== null && <p className="faint">{waiting.message}</p>}
      </>
    ),
  },
  {
    title: 'Episodes',
    number: true,
    cell: ({ episodes }) =>
      `${count(episodes.kept)} exported, ${count(episodes.dropped)} excluded${heldOut(episodes)}`,
  },
  { title: 'Size', number: true, cell: ({ bytes: size }) => bytes(size) },
  {
    title: 'Seal',
    wide: true,
    cell: ({ seal, sealed_at }) =>
      seal === null ? (
        <span className="faint">not sealed</span>
      ) : (
        <>
          <code>{seal}</code> {sealed_at !== null && <span className="faint">sealed {time(sealed_at)}</span>}
        </>
      ),
  },
  { title: 'Actions', cell: (row) => <Controls of={row} /> },
];

/** Describes how many of the excluded episodes a locked slice reserves; empty if none. */
function heldOut({ dropped_by }: Export['episodes']): string {
  const held = dropped_by.find(({ stage }) => stage === 'held_out');
  return held === undefined ? '' : ` (${count(held.episodes)} reserved for evaluation)`;
}

const changed = ['list_exports', 'get_export'] as const;

/** Buttons of an export: cancel while it runs; then download and seal, after which only an admin can delete it. */
function Controls({ of: { id: export_id, project_id, status } }: { readonly of: Export }) {
  const cancel = useAct('cancel_export', changed);
  const seal = useAct('seal_export', changed);
  const error = cancel.error ?? seal.error;
  const open = status === 'queued' || status === 'running';
  const whole = status === 'succeeded' || status === 'sealed';
  const download = requestOf('get_export_download', { project_id, export_id, as: 'zip' }).path;
  return (
    <div className="decide-row">
      {open && (
        <Action
          needs="engineer"
          busy={cancel.isPending}
          onAct={() => cancel.mutate({ project_id, export_id })}
        >
          Cancel
        </Action>
      )}
      {status === 'succeeded' && (
        <Action needs="reviewer" busy={seal.isPending} onAct={() => seal.mutate({ project_id, export_id })}>
          Seal
        </Action>
      )}
      {whole && (
        <a className="button" href={download} download>
          Download
        </a>
      )}
      {error !== null && <Complaint error={error} />}
    </div>
  );
}
