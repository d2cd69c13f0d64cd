import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { kinds } from '#core/episode';
import type { Launcher } from './launcher.ts';

/** Of every command that needs the installation's data. */
export const dataOption = ['--data <dir>', 'data folder (default: ASSAY_DATA_DIR, or assay-data)'] as const;

/** What `--plain-http` does. */
export const plainHttp = 'read http:// beyond this machine as well, unencrypted (docs/sources.md)';

/** Options of every command that assesses. */
export function withWork(command: Command): Command {
  return command
    .option('--workers <n>', 'number of worker threads (default: by cores and work)', whole(1))
    .option('--settings <file>', 'JSON file of readiness settings')
    .addOption(new Option('--kind <kind>', 'judge recordings as this kind').choices(kinds))
    .option('--limit <n>', 'only the first n episodes of each dataset', whole(1));
}

/** A rate in Hz. */
export function rateInHz(text: string): number {
  const rate_hz = Number(text);
  if (!(rate_hz > 0 && rate_hz <= 1e6)) throw new InvalidArgumentError('It must be a number above 0, in Hz.');
  return rate_hz;
}

export function whole(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!Number.isInteger(number) || number < least)
      throw new InvalidArgumentError(`It must be a whole number from ${least}.`);
    return number;
  };
}

/** The folder that is named, or else the usual one; null for `none`, as in ASSAY_CACHE. */
export function cacheOf(named: string | boolean | undefined, launcher: Launcher): string | null {
  if (named === false || named === 'none') return null;
  return typeof named === 'string' ? resolve(named) : launcher.cacheFolder();
}
