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
   * Needs the role `viewer`.
   */
  list: (input: ListSourcesInput, options?: CallOptions): Promise<Page<Source>> =>
    call('list_sources', input, options),

  /**
   * Register a folder or an S3 prefix, or open an upload.
   *
   * Recordings stay where they are; a run copies only their numbers. Send the files of an upload to
   * `/v1/uploads` by the tus 1.0 protocol, each with the metadata `source_id`, `path` and `sha256`; a
   * broken transfer resumes where it stopped.
   *
   * Needs the role `engineer`.
   */
  create: (input: CreateSourceInput, options?: CallOptions): Promise<Source> =>
    call('create_source', input, options),

  /**
   * Get one source.
   *
   * Needs the role `viewer`.
   */
  get: (input: GetSourceInput, options?: CallOptions): Promise<Source> => call('get_source', input, options),

  /**
   * Remove a source; deletes uploaded files, leaves others where they are.
   *
   * Its runs, episodes and receipts stay, and its state becomes `gone`. A source without runs is
   * deleted.
   *
   * Needs the role `engineer`.
   */
  delete: (input: DeleteSourceInput, options?: CallOptions): Promise<undefined> =>
    call('delete_source', input, options),

  /**
   * List the files of an upload by path, with the address to resume each.
   *
   * Needs the role `viewer`.
   */
  listFiles: (input: ListSourceFilesInput, options?: CallOptions): Promise<Page<SourceFile>> =>
    call('list_source_files', input, options),

  /**
   * Complete an upload: its files are whole and can be run.
   *
   * Needs the role `engineer`.
   */
  complete: (input: CompleteSourceInput, options?: CallOptions): Promise<Source> =>
    call('complete_source', input, options),
});
