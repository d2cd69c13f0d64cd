// Written by `npm run generate` from src/core/api. Change it there.
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

export interface CopilotOperations {
  get_copilot_models: {
    input: Record<never, never>;
    answer: CopilotModels;
    error: 'rate_limited' | 'unauthenticated';
  };
  get_copilot_suggestions: {
    input: GetCopilotSuggestionsInput;
    answer: CopilotSuggestions;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  ask_project: {
    input: AskProjectInput;
    answer: ProjectAnswer;
    error: 'not_found' | 'payload_too_large' | 'rate_limited' | 'unauthenticated' | 'unsupported_media_type';
  };
  raise_support_query: {
    input: RaiseSupportQueryInput;
    answer: SupportQuery;
    error:
      | 'idempotency_conflict'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  list_support_queries: {
    input: ListSupportQueriesInput;
    answer: Page<SupportQuery>;
    error: 'rate_limited' | 'unauthenticated';
  };
  copilot_chat: {
    input: CopilotChatInput;
    answer: CopilotChatEvent;
    error:
      | 'idempotency_conflict'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  list_threads: {
    input: ListThreadsInput;
    answer: Page<CopilotThreadSummary>;
    error: 'rate_limited' | 'unauthenticated';
  };
  get_thread: {
    input: GetThreadInput;
    answer: CopilotThread;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  delete_thread: {
    input: DeleteThreadInput;
    answer: undefined;
    error: 'not_found' | 'payload_too_large' | 'rate_limited' | 'unauthenticated' | 'unsupported_media_type';
  };
}
