import type { CopilotSuggestions } from '#core/api';
import { type Call, listProjects, requireRole } from '#service/operations';
import type { Store } from '#store';
import { type ProjectState, readProjectState } from './project-state.ts';

const maxSuggestions = 6;

/**
 * Returns up to 6 questions that fit a project's state, most urgent first, or first steps without a project, and the answers
 * to frequent questions. Throws `not_found`.
 */
export async function getSuggestions(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id?: string | undefined },
): Promise<CopilotSuggestions> {
  requireRole(call, 'viewer');
  if (project_id === undefined)
    return { project_id: null, suggestions: await suggestWithoutProject(store, call), faqs };
  const state = await readProjectState(store, call, project_id);
  const suggestions = suggestionRules.flatMap(({ id, suggest }) => {
    const suggestion = suggest(state);
    return suggestion === null ? [] : [{ id, ...suggestion }];
  });
  return { project_id, suggestions: suggestions.slice(0, maxSuggestions), faqs };
}

async function suggestWithoutProject(store: Store, call: Call): Promise<CopilotSuggestions['suggestions']> {
  const { items } = await listProjects(store, call, { limit: 1 });
  if (items.length === 0)
    return [
      {
        id: 'first_project',
        prompt: 'Which use case fits my recordings, and how do I create a project?',
        because: 'there are no projects yet',
      },
    ];
  return [
    {
      id: 'compare_projects',
      prompt: 'Which of my projects is closest to being ready?',
      because: 'no project is selected',
    },
  ];
}

/** Frequently asked questions. */
const faqs: CopilotSuggestions['faqs'] = [
  {
    question: 'Are images or videos sent to the chat provider?',
    answer:
      'No. Only metadata is sent: names, numbers, ids and text. Raw bytes, base64 data and media file paths are blocked before a model is called.',
  },
  {
    question: 'What can the copilot do without asking me?',
    answer:
      'It can read everything that your role can read. Actions that delete data or spend money wait for your confirmation of that action and its arguments.',
  },
  {
    question: 'What do accept, review and reject mean?',
    answer:
      'Accept: fit to train on according to every check that could run. Reject: a blocking flag or finding, or a score that is too low. Review: a person should look at the episode.',
  },
  {
    question: 'What is a receipt?',
    answer:
      'The record of what was measured and decided for one episode, as canonical JSON with a hash. `assay verify` checks the hash offline.',
  },
  {
    question: 'Why is a check not assessable?',
    answer:
      'The check applies to the episode but could not be measured; the reason is shown with it. It counts neither as 0 nor as a pass.',
  },
  {
    question: 'What does an answer of the copilot cost?',
    answer:
      'The cost of the provider’s tokens by the price list. Each call is first reserved in the weekly budget, then charged as measured; `GET /v1/costs` lists it under the layer `copilot`.',
  },
];

type Suggestion = CopilotSuggestions['suggestions'][number];

/** A question to suggest for a state; null if it does not apply. */
interface SuggestionRule {
  readonly id: string;
  readonly suggest: (state: ProjectState) => Omit<Suggestion, 'id'> | null;
}

const suggestIf = (holds: boolean, prompt: string, because: string) => (holds ? { prompt, because } : null);

/** Rules, most urgent first. */
const suggestionRules: readonly SuggestionRule[] = [
  {
    id: 'register_source',
    suggest: ({ sources }) =>
      suggestIf(sources.shown === 0, 'How do I add my recordings?', 'the project has no sources'),
  },
  {
    id: 'first_run',
    suggest: ({ sources, last_run }) =>
      suggestIf(
        sources.shown > 0 && last_run === null,
        'Plan a run of my recordings. What would it read and cost?',
        'the project has sources but no run yet',
      ),
  },
  {
    id: 'run_under_way',
    suggest: ({ last_run }) =>
      last_run !== null && (last_run.status === 'queued' || last_run.status === 'running')
        ? { prompt: 'How far along is the run?', because: `${last_run.id} is ${last_run.status}` }
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
            prompt: 'What is wrong with the dataset as a whole, and how do I fix it?',
            because: `dataset finding codes: ${faults.length}; most severe: ${worst.code} (${worst.severity})`,
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
      suggestIf(
        decisions.reject > 0,
        'Which episodes were rejected, and why?',
        `rejected episodes: ${decisions.reject}`,
      ),
  },
  {
    id: 'commonest_flag',
    suggest: ({ summary: { flags } }) => {
      const [first] = flags;
      return first === undefined
        ? null
        : {
            prompt: `Why are episodes flagged ${first.value}, and what can I do about it?`,
            because: `episodes flagged ${first.value}: ${first.episodes}`,
          };
    },
  },
  {
    id: 'to_review',
    suggest: ({ project: { decisions, reviewed } }) =>
      suggestIf(
        decisions.review > 0,
        'Which episodes should I look at first?',
        `episodes to review: ${decisions.review}; reviewed: ${reviewed}`,
      ),
  },
  {
    id: 'export_ready',
    suggest: ({ target, project }) =>
      suggestIf(
        target?.verdict === 'ready',
        `Export the accepted episodes for ${project.target_profile}`,
        `all requirements of ${project.target_profile} are met; accepted episodes: ${project.decisions.accept}`,
      ),
  },
  {
    id: 'cost',
    suggest: ({ last_run }) =>
      suggestIf(last_run !== null, 'What did this project cost this week?', 'the project has runs'),
  },
];
