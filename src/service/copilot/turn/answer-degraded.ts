import { listProjects } from '#service/operations';
import { answerQuestion, count } from '../ask/index.ts';
import { projectGrounds } from '../context/project-grounds.ts';
import { type Playing, say, type Turn, type TurnLog } from './turn.ts';

const mostNamed = 10;

/** Answers without a model, from the project's state alone, and says so. */
export async function* answerDegraded(turn: Turn, log: TurnLog): Playing {
  yield say(log, 'No chat model is configured, so this is answered from the project’s state alone.\n');
  for (const text of await sentencesOf(turn)) yield say(log, `\n- ${text}`);
  return 'degraded';
}

async function sentencesOf({ store, call, state, question }: Turn): Promise<readonly string[]> {
  if (state !== null) {
    const { sentences } = await answerQuestion(projectGrounds(store, call, state), question);
    return sentences.map(({ text }) => text);
  }
  const { items } = await listProjects(store, call, { limit: mostNamed });
  if (items.length === 0) return ['There is no project yet. Make a workspace and a project in it first.'];
  return [
    ...items.map(({ id, name, episodes, decisions: { accept, review, reject } }) => {
      const judged = `${accept} accepted, ${review} to review, ${reject} rejected`;
      return `${name} (${id}): ${count(episodes, 'episode')}, ${judged}.`;
    }),
    'Name one as project_id to hear more of it.',
  ];
}
