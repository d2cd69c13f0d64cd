import type { Asked, Sentence } from './sentence.ts';

interface NextStep {
  readonly holds: (asked: Asked) => boolean;
  readonly text: string;
  readonly action: string;
}

/** What to do next: the first that holds, and what follows from it. */
const steps: readonly NextStep[] = [
  {
    holds: ({ state }) => state.sources.shown === 0,
    text: 'Next: register a source of recordings.',
    action: 'register_source',
  },
  {
    holds: ({ state }) => state.sources.shown > 0 && state.last_run === null,
    text: 'Next: plan a run and start it.',
    action: 'trigger_run',
  },
  {
    holds: ({ state }) => state.last_run !== null && ['queued', 'running'].includes(state.last_run.status),
    text: 'Next: wait for the run that is under way.',
    action: 'get_run_status',
  },
  {
    holds: ({ state }) => state.faults.length > 0,
    text: 'Next: mend what the findings name, and run again.',
    action: 'diagnose_failures',
  },
  {
    holds: ({ state }) => state.project.decisions.review > state.project.reviewed,
    text: 'Next: review the episodes that wait for a person.',
    action: 'search_episodes',
  },
  {
    holds: ({ state }) => state.target?.verdict === 'ready',
    text: 'Next: export the accepted episodes.',
    action: 'create_export',
  },
];

/** The next step that a project's state asks for; none where nothing is open. */
export function nextSteps(asked: Asked): readonly Sentence[] {
  const step = steps.find(({ holds }) => holds(asked));
  return step === undefined ? [] : [{ text: step.text, evidence: { action: step.action } }];
}
