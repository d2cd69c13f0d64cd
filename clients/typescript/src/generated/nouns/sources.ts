// Written by `npm run generate` from src/contract. Change it there.
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
   * Lists a project’s sources, newest first.
   *
   * Needs the role `viewer`.
   */
  list: (input: ListSourcesInput, options?: CallOptions): Promise<Page<Source>> =>
    call('list_sources', input, options),

  /**
   * Registers a folder or an S3 prefix, or opens an upload.
   *
   * Recordings stay where they are; only their numbers are copied by a run. Files of an upload are sent
   * to `/v1/uploads` by the tus 1.0 protocol, each with the metadata `source_id`, `path` and `sha256`; a
   * broken transfer goes on where it stopped.
   *
   * Needs the role `engineer`.
   */
  create: (input: CreateSourceInput, options?: CallOptions): Promise<Source> =>
    call('create_source', input, options),

  /**
   * Gets one source.
   *
   * Needs the role `viewer`.
   */
  get: (input: GetSourceInput, options?: CallOptions): Promise<Source> => call('get_source', input, options),

  /**
   * Takes a source out; uploaded files are deleted, others stay where they are.
   *
   * Runs, episodes and receipts of the source stay; it is then `gone`. Without runs nothing stays.
   *
   * Needs the role `engineer`.
   */
  delete: (input: DeleteSourceInput, options?: CallOptions): Promise<undefined> =>
    call('delete_source', input, options),

  /**
   * Lists the files of an upload by path, with where each goes on.
   *
   * Needs the role `viewer`.
   */
  listFiles: (input: ListSourceFilesInput, options?: CallOptions): Promise<Page<SourceFile>> =>
    call('list_source_files', input, options),

  /**
   * Ends an upload: its files are whole and may be run on.
   *
   * Needs the role `engineer`.
   */
  complete: (input: CompleteSourceInput, options?: CallOptions): Promise<Source> =>
    call('complete_source', input, options),
});
