import { AssayError, type JsonObject } from '#core';
import type { ChatRequest, ScreenObject } from '#core/api';
import { codeTitle } from '#core/titles';
import { type Call, getEpisode, getRun, getSlice } from '#service/operations';
import type { Store } from '#store';
import { withholdMediaWithin } from './boundary/withhold-media.ts';

/** Object on the user's screen: facts for the model, and a sentence for answers without one. */
export interface ScreenContext {
  readonly facts: JsonObject;
  readonly sentence: string;
}

/**
 * Reads the object that a chat request names as its context; `null` if it names none. Throws `not_found` for an object
 * of another tenant or project, `invalid_request` without a project.
 */
export async function readScreenContext(
  store: Store,
  call: Call,
  { project_id, context }: Pick<ChatRequest, 'project_id' | 'context'>,
): Promise<ScreenContext | null> {
  if (context === undefined) return null;
  if (project_id === undefined) {
    const message = 'context requires project_id';
    throw new AssayError('invalid_request', message, {
      details: { errors: [{ pointer: '/body/context', message }] },
    });
  }
  const { facts, sentence } = await describeObject(store, call, project_id, context);
  return withholdMediaWithin({ facts: { kind: context.kind, ...facts }, sentence });
}

function describeObject(
  store: Store,
  call: Call,
  project_id: string,
  { kind, id }: ScreenObject,
): Promise<ScreenContext> {
  switch (kind) {
    case 'episode':
      return describeEpisode(store, call, project_id, id);
    case 'run':
      return describeRun(store, call, project_id, id);
    case 'slice':
      return describeSlice(store, call, project_id, id);
  }
}

/** Maximum number of flags, and of places of each. */
const maxFlags = 20;
const maxPlaces = 5;

async function describeEpisode(
  store: Store,
  call: Call,
  project_id: string,
  episode_id: string,
): Promise<ScreenContext> {
  const episode = await getEpisode(store, call, { episode_id });
  requireProject(episode, project_id, 'episode');
  const { id, name, kind, decision, decision_reason, score, duration_s, robot, task, outcome } = episode;
  const flags = episode.flag_details.slice(0, maxFlags).map(({ code, severity, message, marks }) => ({
    ...{ flag: code, severity, message, places: marks.length },
    first: marks.slice(0, maxPlaces).map(({ stream, from_s, to_s }) => ({ stream, from_s, to_s })),
  }));
  const review = episode.review === null ? null : { decision: episode.review.decision };
  const facts = { id, name, data: kind, decision, decision_reason, score, duration_s, robot, task, outcome };
  const titles = flags.map(({ flag }) => codeTitle(flag)).join(', ');
  const scored = score === null ? 'not scored' : `score ${score}`;
  return {
    facts: { ...facts, flags, review },
    sentence: `${name}: ${decision}, ${scored}${titles === '' ? '' : `, flags ${titles}`}.`,
  };
}

async function describeRun(
  store: Store,
  call: Call,
  project_id: string,
  run_id: string,
): Promise<ScreenContext> {
  const run = await getRun(store, call, { run_id });
  requireProject(run, project_id, 'run');
  const { id, status, stage, source_id, cost_usd, error, finished_at } = run;
  const { expected, judged } = run.episodes;
  const facts = { id, status, stage, source_id, cost_usd, error: error?.code ?? null, finished_at };
  return {
    facts: { ...facts, episodes: { expected, judged } },
    sentence: `This run: ${status}, ${judged} of ${expected ?? 'an unknown number of'} episodes evaluated.`,
  };
}

async function describeSlice(
  store: Store,
  call: Call,
  project_id: string,
  slice_id: string,
): Promise<ScreenContext> {
  const slice = await getSlice(store, call, { project_id, slice_id });
  const { id, name, episodes, created_at } = slice;
  return {
    facts: { id, name, episodes, created_at },
    sentence: `${name}: a slice of ${episodes} episodes.`,
  };
}

function requireProject(
  { project_id }: { readonly project_id: string },
  expected: string,
  what: string,
): void {
  if (project_id === expected) return;
  throw new AssayError('not_found', `no such ${what} in this project`);
}
