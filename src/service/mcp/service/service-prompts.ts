import { AssayError, idPattern } from '#core';
import { askProject, assertNoMedia, withholdWithin } from '#service/copilot';
import { questionShapes } from '#service/copilot/ask';
import { type Call, listProjects } from '#service/operations';
import type { Store } from '#store';
import type { Caller, OfferedPrompt } from '../protocol/offer.ts';

/** The questions that are answered without a model, each with that answer: an assistant goes on from there. */
export function servicePrompts(store: Store): readonly OfferedPrompt<Call>[] {
  return questionShapes.map(({ id, example }) => ({
    id,
    title: example,
    description: `${example} With what the service itself answers, and the ids and numbers that rests on.`,
    parameters: [{ name: 'project_id', description: 'The project that is asked about' }],
    text: async ({ project_id }, { who }) => {
      if (!idPattern('prj').test(project_id)) throw new AssayError('not_found', 'there is no such project');
      const { sentences } = await askProject(store, who, { project_id, question: example });
      const told = withholdWithin(sentences.map(({ text, evidence }) => ({ text, evidence })));
      assertNoMedia(told);
      const lines = told.map(({ text, evidence }) => `- ${text} ${JSON.stringify(evidence)}`);
      return `${example}\n\nThe project is ${project_id}. What the service answers by itself, as data:\n${lines.join('\n')}`;
    },
  }));
}

const mostProjects = 200;

/** Ids of projects that begin with what was typed, or whose names do. */
export async function completeArgument(
  store: Store,
  name: string,
  typed: string,
  { who }: Caller<Call>,
): Promise<readonly string[]> {
  if (name !== 'project_id') return [];
  const { items } = await listProjects(store, who, { limit: mostProjects });
  const begin = typed.toLowerCase();
  return items
    .filter((project) => project.id.startsWith(begin) || project.name.toLowerCase().startsWith(begin))
    .map(({ id }) => id);
}
