import { AssayError, newId } from '#core';
import type { ChatRequest } from '#core/api';
import {
  activeProvider,
  type Call,
  getThread,
  messageHash,
  openApprovals,
  reasonOf,
  requireRole,
} from '#service/operations';
import type { CopilotProvider, Store } from '#store';
import { groundsOf } from '../context/grounds-of.ts';
import type { Answerer, Turn } from './turn.ts';

/**
 * Looks up what a turn needs, before anything is streamed. Throws `not_found` for a project or thread that is not the
 * caller's, `invalid_request` for a model that does not answer.
 */
export async function prepareTurn(store: Store, call: Call, request: ChatRequest): Promise<Turn> {
  requireRole(call, 'viewer');
  const project_id = request.project_id ?? null;
  if (request.thread_id !== undefined) await getThread(store, call, { thread_id: request.thread_id });
  const provider = activeProvider(store);
  const answerer = provider === null ? null : answererOf(provider, request.model);
  const question = request.messages.at(-1)?.content ?? '';
  const message_hash = messageHash(project_id, question);
  return {
    ...{ store, call, request, project_id, question, message_hash, answerer },
    thread_id: request.thread_id ?? newId('thr'),
    approvals: await openApprovals(store, call, { ...request, message_hash }),
    reason: reasonOf(provider),
    ...(await groundsOf(store, call, project_id)),
  };
}

function answererOf(provider: CopilotProvider, asked: string | undefined): Answerer {
  const model = provider.models.find((name) => name === (asked ?? provider.models[0]));
  if (model !== undefined) return { provider, model };
  throw new AssayError('invalid_request', 'this model does not answer here', {
    advice: 'GET /v1/copilot/models lists those that do',
    details: { errors: [{ pointer: '/body/model', message: `one of ${provider.models.join(', ')}` }] },
  });
}
