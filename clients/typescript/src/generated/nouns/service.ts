// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type { Contract, GetDocsFileInput } from '../types/service-calls.ts';
import type { Health, Readiness } from '../types/service.ts';

export const service = ({ call }: Calls) => ({
  /**
   * Check that the process answers.
   *
   * Needs no token.
   */
  checkHealth: (options?: CallOptions): Promise<Health> => call('check_health', {}, options),

  /**
   * Check whether database, blob store and queue can be used.
   *
   * Answers 503 if one cannot; `code` says which.
   *
   * Needs no token.
   */
  checkReadiness: (options?: CallOptions): Promise<Readiness> => call('check_readiness', {}, options),

  /**
   * Read the metrics of this process, in the Prometheus text format.
   *
   * Needs no token.
   */
  readMetrics: (options?: CallOptions): Promise<Response> => call('read_metrics', {}, options),

  /**
   * Get this document.
   *
   * Needs no token.
   */
  getContract: (options?: CallOptions): Promise<Contract> => call('get_contract', {}, options),

  /**
   * Open this document as a page.
   *
   * Needs no token.
   */
  openDocs: (options?: CallOptions): Promise<Response> => call('open_docs', {}, options),

  /**
   * Get a file of that page.
   *
   * Needs no token.
   */
  getDocsFile: (input: GetDocsFileInput, options?: CallOptions): Promise<Response> =>
    call('get_docs_file', input, options),
});
