import type { CopilotSuggestions } from '#core/api';
import { type Call, listProjects, requireRole } from '#service/operations';
import type { Store } from '#store';
import { type ProjectState, readProjectState } from './project-state.ts';

const maxSuggestions = 6;

/** Suggests questions that fit a project's state, or first steps without a project. Throws `not_found`. */
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
        prompt: 'Which use case fits my recordings, and how do I make a project?',
        because: 'there is no project yet',
      },
    ];
  return [
    {
      id: 'compare_projects',
      prompt: 'Which of my projects is closest to being ready?',
      because: 'there are projects, and none was named',
    },
  ];
}

/** Frequently asked questions. */
const faqs: CopilotSuggestions['faqs'] = [
  {
    question: 'Do pictures or video reach the chat provider?',
    answer:
      'No. Only metadata does: names, numbers, ids, texts. Bytes, base64 and paths of media files are refused before a model is asked.',
  },
  {
    question: 'What may the copilot do without asking me?',
    answer:
      'It reads what your role may read. What destroys or spends waits for your yes, to that tool with those arguments.',
  },
  {
    question: 'What do accept, review and reject mean?',
    answer:
      'Accept: fit to train on by every check that could be made. Reject: something blocks, or the score is too low. Review: a person should look.',
  },
  {
    question: 'What is a receipt?',
    answer:
      'What was measured and decided of one episode, canonical and hashed. `assay verify` re-derives the hash offline.',
  },
  {
    question: 'Why does a check say not assessable?',
    answer:
      'It should apply and could not be measured; the reason stands beside it. It counts neither as zero nor as a pass.',
  },
  {
    question: 'What does an answer of the copilot cost?',
    answer:
      'What its provider’s tokens cost by the price list. Each call is reserved in the weekly budget first and charged as measured; `GET /v1/costs` lists it under the layer `copilot`.',
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
      suggestIf(
        sources.shown === 0,
        'How do I bring in my recordings?',
        'the project has no source of recordings',
      ),
  },
  {
    id: 'first_run',
    suggest: ({ sources, last_run }) =>
      suggestIf(
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
      suggestIf(
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
      suggestIf(
        decisions.review > 0,
        'Which episodes should I look at first?',
        `episodes that wait for review: ${decisions.review}; reviewed: ${reviewed}`,
      ),
  },
  {
    id: 'export_ready',
    suggest: ({ target, project }) =>
      suggestIf(
        target?.verdict === 'ready',
        `Export the accepted episodes for ${project.target_profile}`,
        `every requirement of ${project.target_profile} is met; episodes accepted: ${project.decisions.accept}`,
      ),
  },
  {
    id: 'cost',
    suggest: ({ last_run }) =>
      suggestIf(last_run !== null, 'What did this project cost this week?', 'runs have been made'),
  },
];
