import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { kinds } from '#core/episode';
import type { Launcher } from './launcher.ts';

/** Declaration of `--data` for commands that use the data folder. */
export const dataOption = ['--data <dir>', 'Data folder (default: ASSAY_DATA_DIR, or assay-data)'] as const;

/** Description of `--plain-http`. */
export const plainHttp = 'Allow unencrypted http:// to other machines (docs/sources.md)';

/** Adds the options of every command that assesses recordings. */
export function withWork(command: Command): Command {
  return command
    .option(
      '--workers <n>',
      'Worker threads (default: depends on the number of cores and the amount of work)',
      whole(1),
    )
    .option('--settings <file>', 'JSON file with readiness settings')
    .addOption(new Option('--kind <kind>', 'Treat recordings as this kind').choices(kinds))
    .option('--limit <n>', 'Only the first n episodes of each dataset', whole(1))
    .option(...loaderOption);
}

/** Declaration of `--loader`. */
export const loaderOption = [
  '--loader <ids>',
  'Check datasets against the rules of these training loaders, separated by commas (default: chosen by format and files; docs/contracts.md)',
] as const;

/** Parses a rate in Hz, above 0 and at most 1e6. Throws `InvalidArgumentError`. */
export function rateInHz(text: string): number {
  const rate_hz = Number(text);
  if (!(rate_hz > 0 && rate_hz <= 1e6)) throw new InvalidArgumentError('Must be a number above 0, in Hz.');
  return rate_hz;
}

/** Creates a parser for whole numbers of at least `minimum`, which throws `InvalidArgumentError`. */
export function whole(minimum: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!Number.isInteger(number) || number < minimum)
      throw new InvalidArgumentError(`Must be a whole number, ${minimum} or more.`);
    return number;
  };
}

/** Returns the cache folder that is named, or the default one; `null` for `--no-cache` or `none`. */
export function cacheOf(named: string | boolean | undefined, launcher: Launcher): string | null {
  if (named === false || named === 'none') return null;
  return typeof named === 'string' ? resolve(named) : launcher.cacheFolder();
}
