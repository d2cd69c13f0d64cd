// Written by `npm run generate` from src/core/api. Change it there.
import type { Contract, GetDocsFileInput } from '../types/service-calls.ts';
import type { Health, Readiness } from '../types/service.ts';

export interface ServiceOperations {
  check_health: { input: Record<never, never>; answer: Health; error: never };
  check_readiness: { input: Record<never, never>; answer: Readiness; error: never };
  read_metrics: { input: Record<never, never>; answer: Response; error: never };
  get_contract: { input: Record<never, never>; answer: Contract; error: 'rate_limited' };
  open_docs: { input: Record<never, never>; answer: Response; error: 'rate_limited' };
  get_docs_file: { input: GetDocsFileInput; answer: Response; error: 'not_found' | 'rate_limited' };
}
