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
   * List the copilot’s models, and say which one answers.
   *
   * Needs the role `viewer`.
   */
  getModels: (options?: CallOptions): Promise<CopilotModels> => call('get_copilot_models', {}, options),

  /**
   * Suggest questions for a project’s state, with answers to common ones.
   *
   * Needs the role `viewer`.
   */
  getSuggestions: (
    input: GetCopilotSuggestionsInput = {},
    options?: CallOptions,
  ): Promise<CopilotSuggestions> => call('get_copilot_suggestions', input, options),

  /**
   * Ask, without a model, what blocks readiness, what changed, what it cost, what is missing or what to
   * look at.
   *
   * Each sentence comes with the ids and numbers it rests on. A question that is none of `questions` is
   * answered with how things stand.
   *
   * Needs the role `viewer`.
   */
  askProject: (input: AskProjectInput, options?: CallOptions): Promise<ProjectAnswer> =>
    call('ask_project', input, options),

  /**
   * Raise a question with the team that runs the service.
   *
   * Needs the role `viewer`.
   */
  raiseSupportQuery: (input: RaiseSupportQueryInput, options?: CallOptions): Promise<SupportQuery> =>
    call('raise_support_query', input, options),

  /**
   * List the tenant’s support queries, newest first.
   *
   * Needs the role `viewer`.
   */
  listSupportQueries: (
    input: ListSupportQueriesInput = {},
    options?: CallOptions,
  ): Promise<Page<SupportQuery>> => call('list_support_queries', input, options),

  /**
   * Ask the copilot, and stream its answer.
   *
   * Begins with `start` and ends with `done`; between them come `token`, `tool_call`, `tool_result`,
   * `confirmation`, `usage` and `error`. A tool that destroys or spends is not run without `autopilot`:
   * send the same message again with it to confirm what was asked. The turn ends when the client
   * disconnects.
   *
   * Needs the role `viewer`.
   */
  copilotChat: (input: CopilotChatInput, options?: StreamOptions): AsyncGenerator<CopilotChatEvent> =>
    follow('copilot_chat', input, options),

  /**
   * List your own threads with the copilot, newest first.
   *
   * Needs the role `viewer`.
   */
  listThreads: (input: ListThreadsInput = {}, options?: CallOptions): Promise<Page<CopilotThreadSummary>> =>
    call('list_threads', input, options),

  /**
   * Get one of your own threads.
   *
   * Needs the role `viewer`.
   */
  getThread: (input: GetThreadInput, options?: CallOptions): Promise<CopilotThread> =>
    call('get_thread', input, options),

  /**
   * Delete one of your own threads.
   *
   * Needs the role `viewer`.
   */
  deleteThread: (input: DeleteThreadInput, options?: CallOptions): Promise<undefined> =>
    call('delete_thread', input, options),
});
