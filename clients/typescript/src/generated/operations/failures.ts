// Written by `npm run generate` from src/core/api. Change it there.
import type {
  CloseLoopInput,
  GetFailureImportInput,
  ImportFailuresInput,
  ListFailuresInput,
} from '../types/failures-calls.ts';
import type { ClosedLoop, Failure, FailureImport } from '../types/failures.ts';
import type { Page } from '../types/shared.ts';

export interface FailuresOperations {
  import_failures: {
    input: ImportFailuresInput;
    answer: FailureImport;
    error:
      | 'busy'
      | 'forbidden'
      | 'idempotency_conflict'
      | 'limit_exceeded'
      | 'not_found'
      | 'not_ready'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unreadable_input'
      | 'unsupported_media_type';
  };
  list_failures: {
    input: ListFailuresInput;
    answer: Page<Failure>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  get_failure_import: {
    input: GetFailureImportInput;
    answer: FailureImport;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  close_loop: {
    input: CloseLoopInput;
    answer: ClosedLoop;
    error:
      | 'budget_exceeded'
      | 'busy'
      | 'conflict'
      | 'forbidden'
      | 'idempotency_conflict'
      | 'limit_exceeded'
      | 'not_found'
      | 'not_ready'
      | 'payload_too_large'
      | 'rate_limited'
      | 'source_not_allowed'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
}
