import type { ProjectAnswer } from '#core/api';
import { type Call, requireRole } from '#service/operations';
import type { Store } from '#store';
import { answerQuestion, questionShapes } from '../ask/index.ts';
import { projectGrounds } from './project-grounds.ts';
import { readProjectState } from './project-state.ts';

/** Answers a question on a project without any model: each sentence with what it rests on. Throws `not_found`. */
export async function askProject(
  store: Store,
  call: Call,
  { project_id, question }: { readonly project_id: string; readonly question: string },
): Promise<ProjectAnswer> {
  requireRole(call, 'viewer');
  const state = await readProjectState(store, call, project_id);
  const { shape, sentences } = await answerQuestion(projectGrounds(store, call, state), question);
  return {
    ...{ project_id, question, shape, sentences: sentences.map((sentence) => ({ ...sentence })) },
    questions: questionShapes.map(({ id, example }) => ({ id, example })),
  };
}
