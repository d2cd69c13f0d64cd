import type { CopilotSuggestions } from '#core/api';
import { type Call, listProjects, requireRole } from '#service/operations';
import type { Store } from '#store';
import { readProjectState } from '../context/project-state.ts';
import { faqs } from './faqs.ts';
import { suggestionRules } from './suggestion-rules.ts';

const mostShown = 6;

/** Questions to begin with: those that a project's state raises, or how to begin at all. Throws `not_found`. */
export async function getSuggestions(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id?: string | undefined },
): Promise<CopilotSuggestions> {
  requireRole(call, 'viewer');
  if (project_id === undefined)
    return { project_id: null, suggestions: await withoutProject(store, call), faqs };
  const state = await readProjectState(store, call, project_id);
  const suggestions = suggestionRules.flatMap(({ id, suggest }) => {
    const made = suggest(state);
    return made === null ? [] : [{ id, ...made }];
  });
  return { project_id, suggestions: suggestions.slice(0, mostShown), faqs };
}

async function withoutProject(store: Store, call: Call): Promise<CopilotSuggestions['suggestions']> {
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
