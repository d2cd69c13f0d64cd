import type { ProjectAnswer, Run } from '#core/api';
import { targetTitle } from '#core/titles';
import { type Call, getCosts, listRuns, requireRole } from '#service/operations';
import type { Store } from '#store';
import {
  type AnswerFacts,
  answerQuestion,
  changesBetween,
  count,
  questionShapes,
  type Sentence,
} from './ask/index.ts';
import { type ProjectState, readProjectState } from './project-state.ts';

/** Collects the facts that questions on a project are answered from. */
export function projectFacts(store: Store, call: Call, state: ProjectState): AnswerFacts {
  const { project, summary, target, faults } = state;
  const of = { project_id: project.id };
  return {
    ...{ name: project.name, of, episodes: project.episodes, decisions: project.decisions },
    ...{ median_score: summary.score.median, flags: summary.flags },
    worst: summary.worst.map(({ id, name, dataset_path, score, decision, flags }) => ({
      ...{ id, score, decision, flags },
      name: dataset_path === '.' ? name : `${dataset_path}/${name}`,
    })),
    faults: faults.map(({ source_id, ...fault }) => ({ ...fault, at: { source_id } })),
    target: target ?? {
      text: `Readiness for ${targetTitle(project.target_profile)} is not assessable: the project has no episodes yet.`,
      evidence: { ...of, target_profile: project.target_profile, episodes: 0 },
    },
    whatChanged: () => describeLastRun(store, call, state),
    whatItCost: () => describeCosts(store, call, state),
    next: findNextStep(state),
  };
}

/** Runs that are searched for an earlier one. */
const maxRuns = 50;

/** Describes the latest run: result, error, and difference from the previous run of its source. */
async function describeLastRun(store: Store, call: Call, state: ProjectState): Promise<readonly Sentence[]> {
  const { last_run: run, project } = state;
  if (run === null)
    return [{ text: 'No run has been started.', evidence: { project_id: project.id, runs: 0 } }];
  const { items } = await listRuns(store, call, {
    ...{ project_id: project.id, source_id: run.source_id, limit: maxRuns },
  });
  const before = items.find(
    ({ id, status }) => id < run.id && (status === 'succeeded' || status === 'partial'),
  );
  const source = sourceName(state, run);
  return [describeOutcome(run, source), ...describeRunError(run), describeDifference(run, before, source)];
}

/** Returns the name of a run's source; its id if it is not among the listed sources. */
const sourceName = ({ sources }: ProjectState, { source_id }: Run): string =>
  sources.names.get(source_id) ?? source_id;

function describeOutcome({ id: run_id, status, episodes, decisions }: Run, source: string): Sentence {
  const { accept, review, reject } = decisions;
  const { judged, unreadable } = episodes;
  return {
    text: `The latest run, of ${source}, has the status ${status}: ${count(judged, 'episode')} evaluated (${accept} accepted, ${review} to review, ${reject} rejected), ${unreadable} unreadable.`,
    evidence: { run_id, source, status, judged, accept, review, reject, unreadable },
  };
}

const describeRunError = ({ id: run_id, error }: Run): readonly Sentence[] =>
  error === null
    ? []
    : [{ text: `It ended with the error ${error.code}.`, evidence: { run_id, error: error.code } }];

function describeDifference(run: Run, before: Run | undefined, source: string): Sentence {
  const evidence = { run_id: run.id, source_id: run.source_id, source };
  if (before === undefined)
    return {
      text: `No earlier run of ${source} has finished, so there is nothing to compare with.`,
      evidence: { ...evidence, earlier_run_id: null },
    };
  if (run.status !== 'succeeded' && run.status !== 'partial')
    return {
      text: `It has no results yet, so it cannot be compared with the previous run of ${source}.`,
      evidence: { ...evidence, earlier_run_id: before.id },
    };
  const judged = ({ episodes, decisions }: Run) => ({ episodes: episodes.judged, decisions });
  return changesBetween({
    ...{
      before: judged(before),
      after: judged(run),
      since: `the previous run of ${source}`,
    },
    evidence: { ...evidence, earlier_run_id: before.id },
  });
}

async function describeCosts(store: Store, call: Call, state: ProjectState): Promise<readonly Sentence[]> {
  const { project, last_run: run } = state;
  const { items, window } = await getCosts(store, call, { group_by: 'project' });
  const own = items.find(({ key }) => key === project.id);
  const [amount_usd, charges] = [own?.amount_usd ?? 0, own?.charges ?? 0];
  const spent: Sentence = {
    text: `The project cost $${amount_usd} from ${window.from} to ${window.to}, in ${count(charges, 'charge')}.`,
    evidence: { project_id: project.id, amount_usd, charges, from: window.from, to: window.to },
  };
  if (run === null) return [spent];
  const { id: run_id, cost_usd } = run;
  const source = sourceName(state, run);
  return [
    spent,
    { text: `The latest run, of ${source}, cost $${cost_usd}.`, evidence: { run_id, source, cost_usd } },
  ];
}

interface NextStep {
  readonly applies: (state: ProjectState) => boolean;
  readonly text: string;
  readonly action: string;
}

/** Next steps in order of priority; the first that applies is suggested. */
const nextSteps: readonly NextStep[] = [
  {
    applies: ({ sources }) => sources.shown === 0,
    text: 'Next: register a source of recordings.',
    action: 'register_source',
  },
  {
    applies: ({ sources, last_run }) => sources.shown > 0 && last_run === null,
    text: 'Next: plan a run and start it.',
    action: 'trigger_run',
  },
  {
    applies: ({ last_run }) => last_run !== null && ['queued', 'running'].includes(last_run.status),
    text: 'Next: wait for the current run to finish.',
    action: 'get_run_status',
  },
  {
    applies: ({ faults }) => faults.length > 0,
    text: 'Next: fix the problems named in the findings, then run again.',
    action: 'diagnose_failures',
  },
  {
    applies: ({ project }) => project.decisions.review > project.reviewed,
    text: 'Next: review the episodes marked for review.',
    action: 'search_episodes',
  },
  {
    applies: ({ target }) => target?.verdict === 'ready',
    text: 'Next: export the accepted episodes.',
    action: 'create_export',
  },
];

/** Returns the next step for a project's state; empty if nothing is open. */
function findNextStep(state: ProjectState): readonly Sentence[] {
  const step = nextSteps.find(({ applies }) => applies(state));
  if (step === undefined) return [];
  return [{ text: step.text, evidence: { project_id: state.project.id, action: step.action } }];
}

/** Answers a question on a project from its state, without a model; each sentence has its evidence. Throws `not_found`. */
export async function askProject(
  store: Store,
  call: Call,
  { project_id, question }: { readonly project_id: string; readonly question: string },
): Promise<ProjectAnswer> {
  requireRole(call, 'viewer');
  const state = await readProjectState(store, call, project_id);
  const { shape, sentences } = await answerQuestion(projectFacts(store, call, state), question);
  return {
    ...{ project_id, question, shape, sentences: sentences.map((sentence) => ({ ...sentence })) },
    questions: questionShapes.map(({ id, example }) => ({ id, example })),
  };
}
