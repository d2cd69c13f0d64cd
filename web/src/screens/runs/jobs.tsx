import { useState } from 'react';
import type { AnnotationJob, StreamAnnotationJobsEvent } from '#client';
import { client } from '../../api/client.ts';
import { useAct } from '../../api/use-act.ts';
import { useList } from '../../api/use-answer.ts';
import { useStream } from '../../api/use-stream.ts';
import { Action } from '../../components/action.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Failure } from '../../components/failure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Panel } from '../../components/page.tsx';
import { Progress } from '../../components/progress.tsx';
import { layerTitle, time, usd } from '../../components/words.ts';

/** Table of annotation jobs; running ones are updated by the event stream. */
export function Jobs({ project_id }: { readonly project_id: string }) {
  const list = useList('list_annotation_jobs', { project_id, limit: 50 });
  const [live, setLive] = useState<ReadonlyMap<string, AnnotationJob>>(new Map());
  const { error, again } = useStream(
    (signal) => client.annotationJobs.stream({ project_id }, { signal }),
    project_id,
    (event) => setLive((before) => after(before, event)),
  );
  return (
    <Panel title="Annotation jobs">
      {error !== null && <Failure error={error} onRetry={again} />}
      <Loaded of={list} what="jobs">
        {(items) => {
          const known = new Map([...items.map((job) => [job.id, job] as const), ...live]);
          const rows = [...known.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
          return (
            <DataTable
              caption="Annotation jobs"
              columns={columns}
              rows={rows}
              keyOf={({ id }) => id}
              none="No annotation jobs yet. Start one from a layer on the Overview tab."
            />
          );
        }}
      </Loaded>
      <More list={list} what="jobs" />
    </Panel>
  );
}

function after(
  before: ReadonlyMap<string, AnnotationJob>,
  event: StreamAnnotationJobsEvent,
): ReadonlyMap<string, AnnotationJob> {
  const next = new Map(before);
  if (event.event === 'snapshot') for (const job of event.data.items) next.set(job.id, job);
  if (event.event === 'job') next.set(event.data.id, event.data);
  if (event.event === 'progress') {
    const { job_id, done, total, eta_s } = event.data;
    const job = next.get(job_id);
    if (job !== undefined) next.set(job_id, { ...job, eta_s, episodes: { ...job.episodes, done, total } });
  }
  return next;
}

const columns: readonly Column<AnnotationJob>[] = [
  { title: 'Layer', cell: ({ layer }) => layerTitle(layer) },
  { title: 'Requested', cell: ({ created_at }) => time(created_at) },
  { title: 'Status', cell: ({ status }) => status },
  {
    title: 'Episodes',
    wide: true,
    cell: ({ episodes: { done, total, failed }, eta_s, error }) => (
      <>
        <Progress label="Done" done={done} total={total} eta_s={eta_s} />
        {failed > 0 && <span className="is-low"> {failed} failed</span>}
        {error !== null && <p className="faint">{error.message}</p>}
      </>
    ),
  },
  { title: 'Cost', number: true, cell: ({ measured_usd }) => usd(measured_usd) },
  { title: 'Action', cell: (job) => <Cancel job={job} /> },
];

function Cancel({ job: { id: job_id, project_id, status } }: { readonly job: AnnotationJob }) {
  const cancel = useAct('cancel_annotation_job', ['list_annotation_jobs', 'get_annotation_status']);
  if (status !== 'queued' && status !== 'running') return null;
  return (
    <Action needs="engineer" busy={cancel.isPending} onAct={() => cancel.mutate({ project_id, job_id })}>
      Cancel
    </Action>
  );
}
