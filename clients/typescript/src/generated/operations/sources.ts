// Written by `npm run generate` from src/core/api. Change it there.
import type { Page } from '../types/shared.ts';
import type {
  CompleteSourceInput,
  CreateSourceInput,
  DeleteSourceInput,
  GetSourceInput,
  ListSourceFilesInput,
  ListSourcesInput,
} from '../types/sources-calls.ts';
import type { Source, SourceFile } from '../types/sources.ts';

export interface SourcesOperations {
  list_sources: {
    input: ListSourcesInput;
    answer: Page<Source>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  create_source: {
    input: CreateSourceInput;
    answer: Source;
    error:
      | 'forbidden'
      | 'idempotency_conflict'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'source_not_allowed'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  get_source: {
    input: GetSourceInput;
    answer: Source;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  delete_source: {
    input: DeleteSourceInput;
    answer: undefined;
    error:
      | 'conflict'
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  list_source_files: {
    input: ListSourceFilesInput;
    answer: Page<SourceFile>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  complete_source: {
    input: CompleteSourceInput;
    answer: Source;
    error:
      | 'conflict'
      | 'forbidden'
      | 'hash_mismatch'
      | 'not_found'
      | 'not_ready'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
}
