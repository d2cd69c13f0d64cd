import type { JsonObject } from '#core';
import type { Project, ProjectSummary, Run, TargetReadiness } from '#core/api';
import {
  type Call,
  getBudget,
  getProject,
  getTargetReadiness,
  listFindings,
  listProjects,
  listRuns,
  listSources,
  summariseProject,
} from '#service/operations';
import type { Store } from '#store';
import { withholdMediaWithin } from './boundary/withhold-media.ts';

/** Current state of a project that answers are based on. */
export interface ProjectState {
  readonly project: Project;
  readonly sources: {
    readonly shown: number;
    readonly more: boolean;
    /** Names by id. */
    readonly names: ReadonlyMap<string, string>;
  };
  readonly summary: ProjectSummary;
  /** The latest run; null if there is none. */
  readonly last_run: Run | null;
  /** Readiness for the target; null without episodes. */
  readonly target: TargetReadiness | null;
  /** Dataset findings, worst first, one per code. */
  readonly faults: readonly {
    readonly code: string;
    readonly severity: string;
    readonly advice: string;
    readonly source_id: string;
  }[];
}

const maxFaults = 50;
const maxSources = 100;

/** Reads the current state of a project. Throws `not_found`. */
export async function readProjectState(store: Store, call: Call, project_id: string): Promise<ProjectState> {
  const project = await getProject(store, call, { project_id });
  const [summary, sources, runs, findings, target] = await Promise.all([
    summariseProject(store, call, { project_id }),
    listSources(store, call, { project_id, limit: maxSources }),
    listRuns(store, call, { project_id, limit: 1 }),
    listFindings(store, call, { project_id, severity: ['blocking', 'error'], limit: maxFaults }),
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
    sources: {
      shown: sources.items.length,
      more: sources.next_cursor !== null,
      names: new Map(sources.items.map(({ id, name }) => [id, name])),
    },
    summary,
    last_run: runs.items[0] ?? null,
    target,
    faults,
  };
}

const maxFlags = 10;
const maxProjects = 20;

/**
 * Returns the context of a turn for the model and the client: numbers, ids and texts, no media. Without a project it
 * lists projects.
 */
export async function buildModelContext(
  store: Store,
  call: Call,
  state: ProjectState | null,
): Promise<JsonObject> {
  const { cap_usd, spent_usd, reserved_usd, remaining_usd } = await getBudget(store, call);
  const budget = { cap_usd, spent_usd, reserved_usd, remaining_usd };
  if (state !== null)
    return withholdMediaWithin({ role: call.actor.role, budget, ...describeProject(state) });
  const { items, next_cursor } = await listProjects(store, call, { limit: maxProjects });
  const projects = items.map(({ id, name, use_case, target_profile, episodes, decisions }) => {
    return { id, name, use_case, target_profile, episodes, decisions: { ...decisions } };
  });
  return withholdMediaWithin({
    role: call.actor.role,
    budget,
    projects,
    more_projects: next_cursor !== null,
  });
}

function describeProject({ project, sources, summary, last_run, target, faults }: ProjectState): JsonObject {
  const { id, name, use_case, target_profile, data_kind, episodes, decisions, reviewed } = project;
  return {
    project: { id, name, use_case, target_profile, data_kind: data_kind.effective, episodes, reviewed },
    decisions: { ...decisions },
    score: { ...summary.score },
    sources: { shown: sources.shown, more: sources.more },
    flags: summary.flags.slice(0, maxFlags).map((flag) => ({ flag: flag.value, episodes: flag.episodes })),
    findings: { ...summary.findings },
    faults: faults.map((fault) => ({ ...fault })),
    worst_episodes: summary.worst.map((worst) => {
      return {
        id: worst.id,
        name: worst.name,
        score: worst.score,
        decision: worst.decision,
        flags: [...worst.flags],
      };
    }),
    last_run: last_run === null ? null : describeRun(last_run),
    target: target === null ? null : describeTarget(target),
  };
}

function describeRun(run: NonNullable<ProjectState['last_run']>): JsonObject {
  const { id, status, stage, episodes, cost_usd, error, finished_at } = run;
  return { id, status, stage, episodes: { ...episodes }, cost_usd, error: error?.code ?? null, finished_at };
}

function describeTarget({ verdict, requirements }: NonNullable<ProjectState['target']>): JsonObject {
  const open = requirements.filter(({ status }) => status !== 'met');
  return {
    verdict,
    open_requirements: open.map(({ id, level, status, reason }) => ({ id, level, status, reason })),
  };
}
