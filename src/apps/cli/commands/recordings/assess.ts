import { join, relative, resolve } from 'node:path';
import { AssayError } from '#core';
import type { Incomplete } from '#core/api';
import type { PictureScope } from '#core/episode';
import {
  type AssessmentResult,
  type AssessOptions,
  assess,
  assessInto,
  bridgePlanFile,
  type LocatedRecordings,
} from '#engine/local';
import type { FlagRow } from '#quality/readiness';
import { type OutputContext, type OutputFormat, outputFormats } from '#quality/report/outputs';
import { assessOptionsOf, type WorkArguments } from '../../assess-options.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { readRecipeFile } from '../../read-recipe.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { count, printableName } from '../../text.ts';
import { version } from '../../version.ts';
import { type AddressArguments, createFetchedSuffix, withRecordings } from '../../with-recordings.ts';

export interface AssessArguments extends AddressArguments, WorkArguments {
  readonly out?: string;
  /** Equivalent to `format: 'json'`. */
  readonly json?: boolean;
  /** `table`, or the id of an output format. Defaults to the table. */
  readonly format?: string;
  readonly recipe?: string;
  readonly rateHz?: number;
  readonly failOn?: 'review' | 'reject';
  readonly thumbnails?: boolean;
  readonly video?: boolean;
  readonly annotations?: string;
  readonly all?: boolean;
  readonly pictures?: PictureScope;
}

/** Maximum number of episodes that the table lists for each dataset. */
const maxTableRows = 20;

/**
 * Runs `assay assess PATH`. Returns 4 if something was not measured, 3 if nothing was readable, 1 if `failOn` matched,
 * else 0.
 */
export function assessCommand(
  path: string,
  args: AssessArguments,
  io: Io,
  launcher: Pick<Launcher, 'webSettings'>,
): Promise<number> {
  return withRecordings(path, args, io, launcher, (located) => assessLocated(path, located, args, io));
}

const annotationsOf = ({ annotations }: AssessArguments) =>
  annotations === undefined ? {} : { annotations: resolve(annotations) };

async function assessLocated(
  path: string,
  { recordings, label, traffic }: LocatedRecordings,
  args: AssessArguments,
  io: Io,
): Promise<number> {
  const progress = createProgressLine(io, path, createFetchedSuffix(traffic));
  const hooks = { signal: io.signal, onProgress: progress.show, onWarning: progress.say };
  const format = formatOf(args);
  if (args.video === true && args.out === undefined)
    throw new AssayError('usage', '--video requires --out: the videos are part of the report', {
      advice: 'add --out DIR',
    });
  if (args.annotations !== undefined && args.out === undefined)
    throw new AssayError('usage', '--annotations requires --out: annotations are shown in the report', {
      advice: 'add --out DIR',
    });
  const options = await optionsOf(args, format);
  let result: AssessmentResult;
  try {
    result = await (args.out === undefined
      ? assess(recordings, options, hooks)
      : assessInto(resolve(args.out), recordings, { ...options, ...annotationsOf(args) }, hooks));
  } finally {
    progress.end();
  }
  try {
    const flags = await flagsByCode();
    if (format === null) {
      const { renderTable } = await import('../../tables/table.ts');
      await io.out(
        renderTable(result, { ...tableOptions(path, args, io), flags }) + nextSteps(label, args, result),
      );
    } else {
      const context = { ...outputContext(path, args), flags };
      for (const text of format.write(result, context)) await io.out(text);
    }
    for (const line of incompleteLines(result.incomplete)) io.note(`${line}\n`);
    return exitCodeOf(result, args.failOn);
  } finally {
    await result.close();
  }
}

/**
 * Returns the requested output format; `null` selects the table. Throws `usage` if `--json` and another `--format` are
 * combined.
 */
function formatOf({ json, format }: AssessArguments): OutputFormat | null {
  if (json === true && format !== undefined && format !== 'json')
    throw new AssayError('usage', `--json and --format ${format} cannot be combined`, {
      advice: 'use one of them',
    });
  const id = json === true ? 'json' : format;
  return outputFormats.find((one) => one.id === id) ?? null;
}

async function optionsOf(args: AssessArguments, format: OutputFormat | null): Promise<AssessOptions> {
  return {
    ...assessOptionsOf(args),
    receipts: format?.needs === 'receipts',
    ...(args.thumbnails === false ? { thumbnails: 0 } : {}),
    ...(args.video === true ? { video: true } : {}),
    details: args.all === true || format?.needs === 'messages' ? Number.POSITIVE_INFINITY : maxTableRows,
    ...(args.pictures === undefined ? {} : { pictures: args.pictures }),
    ...(args.recipe === undefined ? {} : { recipe: await readRecipeFile(args.recipe) }),
    ...(args.rateHz === undefined ? {} : { rate_hz: args.rateHz }),
  };
}

function tableOptions(path: string, args: AssessArguments, io: Io) {
  return {
    path,
    columns: Math.max(60, Math.min(io.columns, 160)),
    colours: io.colours,
    all: args.all === true,
    rows: args.all === true ? Number.POSITIVE_INFINITY : maxTableRows,
  };
}

function outputContext(path: string, { failOn }: AssessArguments): Omit<OutputContext, 'flags'> {
  return { path: printableName(path), version, fail_on: failOn ?? 'reject' };
}

/** Returns the flag definitions by code. Loads the checks lazily, since assessing has loaded them by then. */
async function flagsByCode(): Promise<Map<string, FlagRow>> {
  const { checks } = await import('#quality/readiness');
  return new Map(checks.rows.flatMap((check) => check.flags.map((flag) => [flag.code, flag] as const)));
}

function nextSteps(path: string, { out }: AssessArguments, result: AssessmentResult): string {
  const { datasets, usability } = result;
  const program = programName();
  const isFixable = usability.reasons.some(({ remedy }) => remedy === 'fix');
  const fix = isFixable ? `Fix:  ${program} fix ${path} --dry-run  # list what can be corrected\n` : '';
  if (out === undefined)
    return `${fix}Next: ${program} assess ${path} --out DIR  # write receipts and an HTML report\n`;
  const folder = resolve(out);
  return [
    `Report:   ${join(folder, 'index.html')}`,
    `Receipts: ${join(folder, 'receipts')}`,
    ...(datasets.some(({ bridged }) => bridged.length > 0)
      ? [`Bridges:  ${join(folder, bridgePlanFile)}`]
      : []),
    `Next:     ${program} verify ${join(folder, 'receipts')} --source ${path}`,
    '',
  ].join('\n');
}

/** Returns the program as the user can call it from the working directory. */
function programName(): string {
  const near = relative(process.cwd(), process.argv[1] ?? 'assay');
  return near.startsWith('..') ? process.argv[1] : near;
}

function exitCodeOf(result: AssessmentResult, failOn: 'review' | 'reject' | undefined): number {
  if (result.incomplete.length > 0) return 4;
  if (result.verdicts.length === 0 && (result.unreadable > 0 || hasErrors(result))) return 3;
  if (failOn === undefined) return 0;
  // A dataset that is not usable as it is fails whatever its episodes are.
  if (result.usability.verdict !== 'usable') return 1;
  return failOn === 'review' && result.decisions.review > 0 ? 1 : 0;
}

function hasErrors(result: AssessmentResult): boolean {
  return result
    .summary()
    .findings.some((finding) => finding.severity === 'error' || finding.severity === 'blocking');
}

/** Returns lines on what could not be measured, why, and what to do; empty if everything was measured. */
function incompleteLines(all: readonly Incomplete[]): string[] {
  if (all.length === 0) return [];
  return [
    'assay: Not finished: some data could not be measured on this machine; this is not a fault of the recordings',
    ...all.flatMap(({ path, episode, episodes, reason, advice }) => {
      const where = [path, episode].filter((part) => part !== null && !reason.includes(part)).join(', ');
      const lost = episodes > 0 ? ` (${count(episodes, 'episode')} not measured)` : '';
      return [
        printableName(`       ${where === '' ? '' : `${where}: `}${reason}${lost}`),
        printableName(`       → ${advice}`),
      ];
    }),
    '       No receipts were written for these datasets; run the same command again to finish them',
  ];
}
