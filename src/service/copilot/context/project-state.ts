import type { Project, ProjectSummary, Run, TargetReadiness } from '#core/api';
import {
  type Call,
  getProject,
  getTargetReadiness,
  listFindings,
  listRuns,
  listSources,
  summariseProject,
} from '#service/operations';
import type { Store } from '#store';

/** What a project is like now, in numbers and ids: what an answer is grounded in. */
export interface ProjectState {
  readonly project: Project;
  readonly sources: { readonly shown: number; readonly more: boolean };
  readonly summary: ProjectSummary;
  /** The newest; null: there was none. */
  readonly last_run: Run | null;
  /** Null while there is no episode. */
  readonly target: TargetReadiness | null;
  /** What is wrong with recordings as a whole, the worst first, each code once. */
  readonly faults: readonly {
    readonly code: string;
    readonly severity: string;
    readonly advice: string;
    readonly source_id: string;
  }[];
}

const faultsRead = 50;
const sourcesRead = 100;

/** Throws `not_found`. */
export async function readProjectState(store: Store, call: Call, project_id: string): Promise<ProjectState> {
  const project = await getProject(store, call, { project_id });
  const [summary, sources, runs, findings, target] = await Promise.all([
    summariseProject(store, call, { project_id }),
    listSources(store, call, { project_id, limit: sourcesRead }),
    listRuns(store, call, { project_id, limit: 1 }),
    listFindings(store, call, { project_id, severity: ['blocking', 'error'], limit: faultsRead }),
    project.episodes === 0 ? null : getTargetReadiness(store, call, { project_id }),
  ]);
  const faults = [...Map.groupBy(findings.items, ({ code }) => code).values()].map(([first]) => ({
    code: first.code,
    severity: first.severity,
    advice: first.advice,
    source_id: first.source_id,
  }));
  return {
    project,
    sources: { shown: sources.items.length, more: sources.next_cursor !== null },
    summary,
    last_run: runs.items[0] ?? null,
    target,
    faults,
  };
}
