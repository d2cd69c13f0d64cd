import type { Finding } from '#core/episode';
import { alohaBreach } from '../../rules/aloha/contract.ts';
import type { AlohaReader } from '../../rules/aloha/readers.ts';

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The number by which ACT asks for a file, as Python writes it; null: it never asks for it. */
function numberOf(path: string): number | null {
  const digits = /^episode_(0|[1-9]\d{0,14})\.hdf5$/.exec(baseOf(path))?.[1];
  return digits === undefined ? null : Number(digits);
}

const isPlain = (path: string): boolean => /^(?!.*features).*\.hdf5$/.test(baseOf(path));

/** Names of the files of a set against those that its reader asks for. */
export function nameFindings(reader: AlohaReader, paths: readonly string[]): Finding[] {
  const isTaken = (path: string) => (reader === 'ACT' ? numberOf(path) !== null : isPlain(path));
  const taken = paths.filter(isTaken);
  const left = paths.filter((path) => !isTaken(path));
  const findings = reader === 'ACT' ? numberFindings(taken) : [];
  if (!paths.some(isPlain)) {
    const message = `${reader} takes none of ${paths.length} files: ${paths.slice(0, 4).join(', ')}`;
    findings.push(...alohaBreach(reader, 'aloha_no_file_taken', null, message));
  } else if (taken.length > 0 && left.length > 0) {
    const message = `${reader} does not take ${left.length} of ${paths.length} files: ${left.slice(0, 4).join(', ')}`;
    findings.push(
      ...alohaBreach(reader, 'aloha_file_not_taken', null, message, { files: left.slice(0, 20) }),
    );
  }
  return findings;
}

function numberFindings(taken: readonly string[]): Finding[] {
  const folders = new Set(taken.map((path) => path.slice(0, -baseOf(path).length)));
  const numbers = new Set(taken.map((path) => numberOf(path)!));
  const count = [...numbers].reduce((most, number) => Math.max(most, number + 1), 0);
  if (numbers.size === count && folders.size === 1) return [];
  let first = 0;
  while (numbers.has(first)) first++;
  const message =
    folders.size > 1
      ? `numbered files lie in ${folders.size} folders`
      : `episode_${first}.hdf5 is not there${count === 0 ? '' : `; files go up to episode_${count - 1}.hdf5`}`;
  return alohaBreach('ACT', 'aloha_numbering', null, message, { files: taken.length });
}
