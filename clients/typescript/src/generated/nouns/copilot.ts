// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions, StreamOptions } from '../../options.ts';
import type {
  AskProjectInput,
  CopilotChatEvent,
  CopilotChatInput,
  DeleteThreadInput,
  GetCopilotSuggestionsInput,
  GetThreadInput,
  ListSupportQueriesInput,
  ListThreadsInput,
  RaiseSupportQueryInput,
} from '../types/copilot-calls.ts';
import type {
  CopilotModels,
  CopilotSuggestions,
  CopilotThread,
  CopilotThreadSummary,
  ProjectAnswer,
  SupportQuery,
} from '../types/copilot.ts';
import type { Page } from '../types/shared.ts';

export const copilot = ({ call, follow }: Calls) => ({
  /**
   * List the copilot’s models and the active one.
   *
   * Requires the role `viewer` or higher.
   */
  getModels: (options?: CallOptions): Promise<CopilotModels> => call('get_copilot_models', {}, options),

  /**
   * Get suggested questions and answers to common ones.
   *
   * Requires the role `viewer` or higher.
   */
  getSuggestions: (
    input: GetCopilotSuggestionsInput = {},
    options?: CallOptions,
  ): Promise<CopilotSuggestions> => call('get_copilot_suggestions', input, options),

  /**
   * Answer a question about a project without a language model.
   *
   * Covers what blocks readiness, what changed, what it cost, what is missing, and which episodes to
   * look at first. Each sentence comes with the ids and numbers behind it. If a question matches none of
   * `questions`, the answer is a summary of the project’s state.
   *
   * Requires the role `viewer` or higher.
   */
  askProject: (input: AskProjectInput, options?: CallOptions): Promise<ProjectAnswer> =>
    call('ask_project', input, options),

  /**
   * Send a support query to the team that operates the service.
   *
   * Requires the role `viewer` or higher.
   */
  raiseSupportQuery: (input: RaiseSupportQueryInput, options?: CallOptions): Promise<SupportQuery> =>
    call('raise_support_query', input, options),

  /**
   * List the tenant’s support queries, newest first.
   *
   * Requires the role `viewer` or higher.
   */
  listSupportQueries: (
    input: ListSupportQueriesInput = {},
    options?: CallOptions,
  ): Promise<Page<SupportQuery>> => call('list_support_queries', input, options),

  /**
   * Send a message to the copilot and stream its answer.
   *
   * The first event is `start`, the last is `done`; between them come `token`, `tool_call`,
   * `tool_result`, `confirmation`, `usage` and `error`. Tools that delete data or spend money run only
   * with `autopilot`: to confirm such a call, send the same message again with `autopilot: true`. The
   * turn is cancelled when the client disconnects. With `Idempotency-Key`, a repeated request runs
   * nothing again: it waits for the end of the first turn and gets the same events, or, with
   * `Last-Event-ID`, those after it.
   *
   * Requires the role `viewer` or higher.
   */
  chat: (input: CopilotChatInput, options?: StreamOptions): AsyncGenerator<CopilotChatEvent> =>
    follow('copilot_chat', input, options),

  /**
   * List your copilot chats, newest first.
   *
   * Requires the role `viewer` or higher.
   */
  listThreads: (input: ListThreadsInput = {}, options?: CallOptions): Promise<Page<CopilotThreadSummary>> =>
    call('list_threads', input, options),

  /**
   * Get one of your copilot chats.
   *
   * Requires the role `viewer` or higher.
   */
  getThread: (input: GetThreadInput, options?: CallOptions): Promise<CopilotThread> =>
    call('get_thread', input, options),

  /**
   * Delete one of your copilot chats.
   *
   * Requires the role `viewer` or higher.
   */
  deleteThread: (input: DeleteThreadInput, options?: CallOptions): Promise<undefined> =>
    call('delete_thread', input, options),
});
