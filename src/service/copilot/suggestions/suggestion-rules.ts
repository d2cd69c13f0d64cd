import type { CopilotSuggestions } from '#core/api';
import type { ProjectState } from '../context/project-state.ts';

type Suggestion = CopilotSuggestions['suggestions'][number];

/** A question that a state raises; null where it does not. */
interface SuggestionRule {
  readonly id: string;
  readonly suggest: (state: ProjectState) => Omit<Suggestion, 'id'> | null;
}

const when = (holds: boolean, prompt: string, because: string) => (holds ? { prompt, because } : null);

/** The most pressing first. */
export const suggestionRules: readonly SuggestionRule[] = [
  {
    id: 'register_source',
    suggest: ({ sources }) =>
      when(
        sources.shown === 0,
        'How do I bring in my recordings?',
        'the project has no source of recordings',
      ),
  },
  {
    id: 'first_run',
    suggest: ({ sources, last_run }) =>
      when(
        sources.shown > 0 && last_run === null,
        'Plan a run over my recordings: what would it read and cost?',
        'the project has sources, and no run has read them',
      ),
  },
  {
    id: 'run_under_way',
    suggest: ({ last_run }) =>
      last_run !== null && (last_run.status === 'queued' || last_run.status === 'running')
        ? { prompt: 'How far is the run?', because: `${last_run.id} is ${last_run.status}` }
        : null,
  },
  {
    id: 'run_failed',
    suggest: ({ last_run }) =>
      last_run !== null && ['failed', 'partial', 'cancelled'].includes(last_run.status)
        ? { prompt: 'Why did the last run not finish?', because: `${last_run.id} ended ${last_run.status}` }
        : null,
  },
  {
    id: 'dataset_faults',
    suggest: ({ faults: [worst], faults }) =>
      worst === undefined
        ? null
        : {
            prompt: 'What is wrong with the recordings as a whole, and how do I mend it?',
            because: `kinds of findings: ${faults.length}, the worst ${worst.code} (${worst.severity})`,
          },
  },
  {
    id: 'readiness_blocked',
    suggest: ({ target, project }) =>
      target !== null && target.verdict !== 'ready'
        ? {
            prompt: `What blocks readiness for ${project.target_profile}?`,
            because: `the target readiness is ${target.verdict}`,
          }
        : null,
  },
  {
    id: 'rejected_episodes',
    suggest: ({ project: { decisions } }) =>
      when(
        decisions.reject > 0,
        'Which episodes were rejected, and for what?',
        `episodes rejected: ${decisions.reject}`,
      ),
  },
  {
    id: 'commonest_flag',
    suggest: ({ summary: { flags } }) => {
      const [first] = flags;
      return first === undefined
        ? null
        : {
            prompt: `Why do episodes raise ${first.value}, and what can I do about it?`,
            because: `episodes that raise ${first.value}: ${first.episodes}`,
          };
    },
  },
  {
    id: 'to_review',
    suggest: ({ project: { decisions, reviewed } }) =>
      when(
        decisions.review > 0,
        'Which episodes should I look at first?',
        `episodes that wait for review: ${decisions.review}; reviewed: ${reviewed}`,
      ),
  },
  {
    id: 'export_ready',
    suggest: ({ target, project }) =>
      when(
        target?.verdict === 'ready',
        `Export the accepted episodes for ${project.target_profile}`,
        `every requirement of ${project.target_profile} is met; episodes accepted: ${project.decisions.accept}`,
      ),
  },
  {
    id: 'cost',
    suggest: ({ last_run }) =>
      when(last_run !== null, 'What did this project cost this week?', 'runs have been made'),
  },
];
