// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
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

export const sources = ({ call }: Calls) => ({
  /**
   * List a project’s sources, newest first.
   *
   * Requires the role `viewer` or higher.
   */
  list: (input: ListSourcesInput, options?: CallOptions): Promise<Page<Source>> =>
    call('list_sources', input, options),

  /**
   * Register a source: a folder, an address, an S3 prefix or an upload.
   *
   * Recordings stay in place; a run copies only numeric data. Send the files of an upload to
   * `/v1/uploads` with the tus 1.0 protocol, each with the metadata `source_id`, `path` and `sha256`;
   * interrupted transfers can be resumed.
   *
   * Requires the role `engineer` or higher.
   */
  create: (input: CreateSourceInput, options?: CallOptions): Promise<Source> =>
    call('create_source', input, options),

  /**
   * Get a source.
   *
   * Requires the role `viewer` or higher.
   */
  get: (input: GetSourceInput, options?: CallOptions): Promise<Source> => call('get_source', input, options),

  /**
   * Remove a source.
   *
   * Deletes uploaded files; folders and buckets are left untouched. The source’s runs, episodes and
   * receipts are kept and its state becomes `gone`. A source without runs is deleted.
   *
   * Requires the role `engineer` or higher.
   */
  delete: (input: DeleteSourceInput, options?: CallOptions): Promise<undefined> =>
    call('delete_source', input, options),

  /**
   * List the files of an upload by path, with the URL to resume each.
   *
   * Requires the role `viewer` or higher.
   */
  listFiles: (input: ListSourceFilesInput, options?: CallOptions): Promise<Page<SourceFile>> =>
    call('list_source_files', input, options),

  /**
   * Complete an upload so that it can be run.
   *
   * Requires the role `engineer` or higher.
   */
  complete: (input: CompleteSourceInput, options?: CallOptions): Promise<Source> =>
    call('complete_source', input, options),
});
