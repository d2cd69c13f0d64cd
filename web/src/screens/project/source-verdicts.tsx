import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Run } from '#client';
import { others_ms, useAnswer } from '../../api/use-answer.ts';
import { FindingItem } from '../../components/finding-item.tsx';
import { Panel } from '../../components/page.tsx';
import { runVerdict, verdictStyle } from '../../components/set-verdict.ts';

/** A source of a project with its newest successful run. */
interface AssessedSource {
  readonly name: string;
  readonly run: Run;
}

/** Number of runs among which the newest of each source is searched. */
const maxRuns = 100;

/** Returns the sources of a project that have been assessed, each with its newest successful run. */
export function useAssessedSources(project_id: string): readonly AssessedSource[] {
  const runs = useAnswer(
    'list_runs',
    { project_id, status: 'succeeded', limit: maxRuns },
    { every_ms: others_ms },
  );
  const sources = useAnswer('list_sources', { project_id, limit: 100 });
  return useMemo(() => {
    const newest = new Map<string, Run>();
    for (const run of runs.data?.items ?? []) if (!newest.has(run.source_id)) newest.set(run.source_id, run);
    const names = new Map((sources.data?.items ?? []).map(({ id, name }) => [id, name]));
    return [...newest.values()].map((run) => ({ name: names.get(run.source_id) ?? run.source_id, run }));
  }, [runs.data, sources.data]);
}

interface SourceProps {
  readonly source: AssessedSource;
  /** True if the project has no other assessed source, so that its name can be left out. */
  readonly isOnly: boolean;
}

/** The verdict on the dataset of a source, if there is anything to do about it. */
export function SourceVerdict({ source: { name, run }, isOnly }: SourceProps) {
  if (run.usability === null || run.usability.verdict === 'usable') return null;
  return (
    <p className={verdictStyle(run.usability.verdict)}>
      {!isOnly && `${name}: `}
      {runVerdict(run, run.usability)}
    </p>
  );
}

const maxFindings = 4;

/** The worst findings of a source with a link to the rest; nothing if there are none. */
export function SourceFindings({ source: { name, run }, isOnly }: SourceProps) {
  const findings = useAnswer('list_run_findings', { run_id: run.id, limit: maxFindings + 1 });
  const items = findings.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Panel title="Dataset findings" tally={isOnly ? 'of the latest run' : `of ${name}`}>
      <ul className="flag-list">
        {items.slice(0, maxFindings).map((finding) => (
          <FindingItem key={`${finding.code} ${finding.path} ${finding.message}`} finding={finding} />
        ))}
      </ul>
      {items.length > maxFindings && (
        <p>
          <Link to="/projects/$projectId/runs/$runId" params={{ projectId: run.project_id, runId: run.id }}>
            Show all findings
          </Link>
        </p>
      )}
    </Panel>
  );
}
