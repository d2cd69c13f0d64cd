import type { Sentence } from '../ask/index.ts';
import type { ProjectState } from './project-state.ts';

interface NextStep {
  readonly holds: (state: ProjectState) => boolean;
  readonly text: string;
  readonly action: string;
}

/** What to do next: the first that holds, and what follows from it. */
const steps: readonly NextStep[] = [
  {
    holds: ({ sources }) => sources.shown === 0,
    text: 'Next: register a source of recordings.',
    action: 'register_source',
  },
  {
    holds: ({ sources, last_run }) => sources.shown > 0 && last_run === null,
    text: 'Next: plan a run and start it.',
    action: 'trigger_run',
  },
  {
    holds: ({ last_run }) => last_run !== null && ['queued', 'running'].includes(last_run.status),
    text: 'Next: wait for the run that is under way.',
    action: 'get_run_status',
  },
  {
    holds: ({ faults }) => faults.length > 0,
    text: 'Next: mend what the findings name, and run again.',
    action: 'diagnose_failures',
  },
  {
    holds: ({ project }) => project.decisions.review > project.reviewed,
    text: 'Next: review the episodes that wait for a person.',
    action: 'search_episodes',
  },
  {
    holds: ({ target }) => target?.verdict === 'ready',
    text: 'Next: export the accepted episodes.',
    action: 'create_export',
  },
];

/** The next step that a project's state asks for; none where nothing is open. */
export function projectNextSteps(state: ProjectState): readonly Sentence[] {
  const step = steps.find(({ holds }) => holds(state));
  if (step === undefined) return [];
  return [{ text: step.text, evidence: { project_id: state.project.id, action: step.action } }];
}
