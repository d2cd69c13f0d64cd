import type { Finding } from '#core/episode';
import { nuScenesBreach } from './rules.ts';

/** What is wrong with the form of a table. */
export function tableFindings(
  path: string,
  { broken, records, shape }: { readonly broken: number; readonly records: number; readonly shape: string },
): Finding[] {
  const findings: Finding[] = [];
  const add = (code: Parameters<typeof nuScenesBreach>[0], message: string) =>
    findings.push(nuScenesBreach(code, path, message));
  if (shape === 'cut')
    add('file_truncated', `${path} ends in the middle; ${records} records before that were read`);
  if (shape === 'other') add('table_malformed', `${path} is no list of records`);
  if (broken > 0) add('records_broken', `${broken} of ${records} records of ${path} are not JSON`);
  return findings;
}
