// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type { Contract, GetDocsFileInput } from '../types/service-calls.ts';
import type { Health, Readiness } from '../types/service.ts';

export const service = ({ call }: Calls) => ({
  /**
   * Check that the process is alive.
   *
   * No token required.
   */
  checkHealth: (options?: CallOptions): Promise<Health> => call('check_health', {}, options),

  /**
   * Check that database, blob store and queue are available.
   *
   * Returns 503 if one is unavailable; `code` names it.
   *
   * No token required.
   */
  checkReadiness: (options?: CallOptions): Promise<Readiness> => call('check_readiness', {}, options),

  /**
   * Get metrics of this process in Prometheus text format.
   *
   * No token required.
   */
  readMetrics: (options?: CallOptions): Promise<Response> => call('read_metrics', {}, options),

  /**
   * Get this OpenAPI document.
   *
   * No token required.
   */
  getContract: (options?: CallOptions): Promise<Contract> => call('get_contract', {}, options),

  /**
   * Open the API reference page.
   *
   * No token required.
   */
  openDocs: (options?: CallOptions): Promise<Response> => call('open_docs', {}, options),

  /**
   * Get a file of the API reference page.
   *
   * No token required.
   */
  getDocsFile: (input: GetDocsFileInput, options?: CallOptions): Promise<Response> =>
    call('get_docs_file', input, options),
});
