import type { JsonObject } from '#core';
import { type Call, getBudget, listProjects } from '#service/operations';
import type { Store } from '#store';
import { withholdWithin } from '../boundary/withhold-media.ts';
import type { ProjectState } from './project-state.ts';

const mostFlags = 10;
const mostProjects = 20;

/** What a turn is grounded in, for the model and for whoever asks: numbers, ids and texts, no media. */
export async function groundedContext(
  store: Store,
  call: Call,
  state: ProjectState | null,
): Promise<JsonObject> {
  const { cap_usd, spent_usd, reserved_usd, remaining_usd } = await getBudget(store, call);
  const budget = { cap_usd, spent_usd, reserved_usd, remaining_usd };
  if (state !== null) return withholdWithin({ role: call.actor.role, budget, ...projectContext(state) });
  const { items, next_cursor } = await listProjects(store, call, { limit: mostProjects });
  const projects = items.map(({ id, name, use_case, target_profile, episodes, decisions }) => {
    return { id, name, use_case, target_profile, episodes, decisions: { ...decisions } };
  });
  return withholdWithin({ role: call.actor.role, budget, projects, more_projects: next_cursor !== null });
}

function projectContext({ project, sources, summary, last_run, target, faults }: ProjectState): JsonObject {
  const { id, name, use_case, target_profile, data_kind, episodes, decisions, reviewed } = project;
  return {
    project: { id, name, use_case, target_profile, data_kind: data_kind.effective, episodes, reviewed },
    decisions: { ...decisions },
    score: { ...summary.score },
    sources: { ...sources },
    flags: summary.flags.slice(0, mostFlags).map((flag) => ({ flag: flag.value, episodes: flag.episodes })),
    findings: { ...summary.findings },
    faults: faults.map((fault) => ({ ...fault })),
    worst_episodes: summary.worst.map((worst) => {
      return { id: worst.id, score: worst.score, decision: worst.decision, flags: [...worst.flags] };
    }),
    last_run: last_run === null ? null : runContext(last_run),
    target: target === null ? null : targetContext(target),
  };
}

function runContext(run: NonNullable<ProjectState['last_run']>): JsonObject {
  const { id, status, stage, episodes, cost_usd, error, finished_at } = run;
  return { id, status, stage, episodes: { ...episodes }, cost_usd, error: error?.code ?? null, finished_at };
}

function targetContext({ verdict, requirements }: NonNullable<ProjectState['target']>): JsonObject {
  const open = requirements.filter(({ status }) => status !== 'met');
  return {
    verdict,
    open_requirements: open.map(({ id, level, status, reason }) => ({ id, level, status, reason })),
  };
}
