import { type Outcome, unknownOutcome } from '#core/episode';
import type { Mapping } from './mapping.ts';

/** What the outcome column says in its last row: only the values that the mapping names mean anything. */
export function outcomeOf(mapping: Mapping['outcome'], said: string | null): Outcome {
  if (mapping === undefined) return unknownOutcome;
  const { column, success, failure } = mapping;
  if (said === null)
    return { value: 'unknown', evidence: 'unknown', reason: `${column} is empty in the last row` };
  const value = equals(said, success) ? 'success' : equals(said, failure) ? 'failure' : 'unknown';
  const shown = JSON.stringify(said.slice(0, 40));
  return value === 'unknown'
    ? {
        value,
        evidence: 'unknown',
        reason: `${column} ends as ${shown}, of which the mapping does not say what it means`,
      }
    : { value, evidence: 'declared', reason: `${column} ends as ${shown}, by the mapping ${value}` };
}

function equals(said: string, named: string | number | boolean | undefined): boolean {
  if (named === undefined) return false;
  const text = said.trim().toLowerCase();
  if (text === String(named).toLowerCase()) return true;
  if (typeof named === 'number') return text !== '' && Number(text) === named;
  return typeof named === 'boolean' && text !== '' && Number(text) === Number(named);
}
