import { answerQuestion } from '../ask/answer-question.ts';
import { type Playing, say, type Turn, type TurnLog } from './turn.ts';

/** Answers without a model, from the project's state alone, and says so. */
export async function* answerDegraded(turn: Turn, log: TurnLog): Playing {
  yield say(log, 'No chat model is configured, so this is answered from the project’s state alone.\n');
  for (const text of await sentencesOf(turn)) yield say(log, `\n- ${text}`);
  return 'degraded';
}

async function sentencesOf({ store, call, state, question, context }: Turn): Promise<readonly string[]> {
  if (state !== null) {
    const { sentences } = await answerQuestion({ store, call, state }, question);
    return sentences.map(({ text }) => text);
  }
  const projects = Array.isArray(context.projects) ? context.projects : [];
  if (projects.length === 0) return ['There is no project yet. Make a workspace and a project in it first.'];
  return [`There are ${projects.length} projects. Name one as project_id to hear what blocks it.`];
}
