import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type Run, type RunProgress, requestOf } from '#client';
import { client } from '../../api/client.ts';
import { useAnswer, useList } from '../../api/use-answer.ts';
import { useStream } from '../../api/use-stream.ts';
import { DecisionBar } from '../../components/decision.tsx';
import { Complaint, Failure } from '../../components/failure.tsx';
import { FindingItem } from '../../components/finding-item.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Facts, Page, Panel } from '../../components/page.tsx';
import { Progress } from '../../components/progress.tsx';
import { runVerdict, verdictStyle } from '../../components/set-verdict.ts';
import { bytes, count, spaced, time, usd } from '../../components/words.ts';
import { RunControls } from './run-controls.tsx';

const route = getRouteApi('/projects/$projectId/runs/$runId');

/** Screen of one run: live progress, decisions, findings and report. */
export function RunScreen() {
  const { runId: run_id } = route.useParams();
  const run = useAnswer('get_run', { run_id });
  return (
    <Loaded of={run} what="the run">
      {(value) => (
        <Page
          title={`Run of ${time(value.created_at)}`}
          note={`${spaced(value.status)} · attempt ${value.attempt}`}
          aside={<RunControls run={value} />}
        >
          <Live key={value.attempt} run={value} />
          <Figures run={value} />
          <Findings run_id={value.id} />
        </Page>
      )}
    </Loaded>
  );
}

const isOpen = ({ status }: Run): boolean => status === 'queued' || status === 'running';

function Live({ run }: { readonly run: Run }) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<RunProgress | null>(null);
  const { id: run_id } = run;
  const { error, again } = useStream(
    isOpen(run) ? (signal) => client.runs.stream({ run_id }, { signal }) : null,
    run_id,
    ({ event, data }) => {
      if (event === 'progress') setProgress(data);
      if (event === 'run') queries.setQueryData(['get_run', { run_id }], data);
      // Findings about datasets come with the verdict, without events of their own.
      if (event !== 'progress') void queries.invalidateQueries({ queryKey: ['list_run_findings'] });
    },
  );
  return (
    <div role="status">
      {error !== null && <Failure error={error} onRetry={again} />}
      {run.error !== null && <Complaint error={new Error(run.error.message)} />}
      {progress !== null && isOpen(run) && (
        <>
          <Progress label={spaced(progress.stage)} {...progress} />
          {progress.bytes_fetched > 0 && (
            <p className="faint">Downloaded {bytes(progress.bytes_fetched)} so far</p>
          )}
        </>
      )}
    </div>
  );
}

function Figures({ run }: { readonly run: Run }) {
  const { id: run_id, decisions, episodes, usability, loader } = run;
  const report = requestOf('get_run_report', { run_id, file: 'index.html' }).path;
  return (
    <div className="verdict">
      <DecisionBar counts={decisions} />
      {usability !== null && <p className={verdictStyle(usability.verdict)}>{runVerdict(run, usability)}</p>}
      <Facts
        rows={[
          ['Episodes', `${count(episodes.judged)} of ${count(episodes.expected)} evaluated`],
          ['Unreadable', count(episodes.unreadable)],
          ...(loader === null ? [] : [['Loader', loader] as const]),
          ['Data read', `${bytes(run.bytes.measured)} of ${bytes(run.bytes.expected)}`],
          ...(run.source_revision === null
            ? []
            : [
                ['Downloaded', bytes(run.bytes.fetched)] as const,
                [
                  'Revision',
                  <code key="revision" title={run.source_revision}>
                    {run.source_revision.slice(0, 12)}
                  </code>,
                ] as const,
              ]),
          ['Started', time(run.started_at)],
          ['Finished', time(run.finished_at)],
          ['Cost', usd(run.cost_usd)],
          [
            'Report',
            run.status === 'succeeded' ? (
              <a key="report" href={report} target="_blank" rel="noreferrer">
                Open report
              </a>
            ) : (
              'available once the run succeeds'
            ),
          ],
        ]}
      />
    </div>
  );
}

function Findings({ run_id }: { readonly run_id: string }) {
  const findings = useList('list_run_findings', { run_id, limit: 100 });
  return (
    <Panel title="Findings" tally={findings.items.length === 0 ? 'none' : undefined}>
      <ul className="flag-list">
        {findings.items.map((finding) => (
          <FindingItem key={`${finding.code} ${finding.path} ${finding.message}`} finding={finding} />
        ))}
      </ul>
      <More list={findings} what="findings" />
    </Panel>
  );
}
