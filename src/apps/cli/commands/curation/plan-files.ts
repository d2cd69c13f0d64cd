import { readFileSync } from 'node:fs';
import { AssayError, wrapReadError } from '#core';
import { strategyTitle } from '#core/titles';
import { type DecidedPlan, planSchema, readPlanFile, type WrittenPlan } from '#quality/curation';
import type { OutFile } from '../../write-new.ts';
import type { PlanArguments } from './curate-options.ts';

/**
 * Reads the plan from `--strategy` or `--plan`; `null` if neither is given. Throws `usage` for both or an invalid
 * plan.
 */
export function readPlan({ strategy, plan, seed }: PlanArguments): WrittenPlan | null {
  if (strategy !== undefined && plan !== undefined)
    throw new AssayError('usage', '--strategy and --plan cannot be combined', { advice: 'use one of them' });
  const seeded = seed === undefined ? {} : { seed };
  if (strategy !== undefined) return { ...seeded, stages: strategy.map(stageOf) };
  if (plan === undefined) return null;
  return { ...readWrittenPlan(plan), ...seeded };
}

function readWrittenPlan(file: string): WrittenPlan {
  const json = (() => {
    try {
      return JSON.parse(readTextFile(file));
    } catch (thrown) {
      if (thrown instanceof SyntaxError) return null;
      throw thrown;
    }
  })();
  // A plan that was written by `assay curate --out` holds what it was made from.
  const read = planSchema.safeParse(json?.schema === 'assay/curation-plan/v1' ? json.plan : json);
  if (read.success) return read.data;
  const [{ path, message }] = read.error.issues;
  throw new AssayError('usage', `${file} is not a valid plan: ${path.join('/') || 'top level'}: ${message}`, {
    path: file,
    advice: 'write {"seed": 0, "stages": [{"strategy": "decision", "parameters": {}}]}',
  });
}

/** Parses a stage such as `name:key=value,key=a+b`; values are numbers, texts or lists of texts. Throws `usage`. */
function stageOf(text: string): WrittenPlan['stages'][number] {
  const [, strategy = '', rest] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  const parameters: Record<string, unknown> = {};
  for (const pair of (rest ?? '').split(',').filter((part) => part !== '')) {
    const at = pair.indexOf('=');
    if (at < 1)
      throw new AssayError('usage', `--strategy ${text}: ${pair} is not key=value`, {
        advice: 'a strategy with its settings, for example diversity:keep=0.5 or flag:codes=camera_frozen',
      });
    parameters[pair.slice(0, at)] = readValue(pair.slice(0, at), pair.slice(at + 1));
  }
  return { strategy, parameters };
}

/** Parameters that take a list, its items separated by `+`. */
const lists = new Set(['codes', 'episodes', 'failures', 'keep']);

function readValue(key: string, value: string): unknown {
  if (value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  return lists.has(key) ? value.split('+') : value;
}

/**
 * Reads a CSV file of `episode,operator` lines into a map of operators by episode; empty without a file. A heading
 * line is skipped; any other line without a comma throws `usage`.
 */
export function readOperators(file: string | undefined): ReadonlyMap<string, string> {
  if (file === undefined) return new Map();
  const operators = new Map<string, string>();
  for (const [i, line] of readTextFile(file).split(/\r?\n/).entries()) {
    if (line.trim() === '' || (i === 0 && /^(episode|id)\b/i.test(line))) continue;
    const at = line.lastIndexOf(',');
    if (at < 1)
      throw new AssayError('usage', `${file}, line ${i + 1}: expected episode,operator`, {
        path: file,
        advice: 'write one episode per line, for example episode_000012,ann',
      });
    operators.set(line.slice(0, at).trim(), line.slice(at + 1).trim());
  }
  return operators;
}

/**
 * Reads a plan file into export options: the episodes to keep, their trims, and the reason for each dropped episode.
 */
export function readPlanChoice(file: string): {
  readonly only: readonly string[];
  readonly reasons: ReadonlyMap<string, string>;
  readonly trims: DecidedPlan['trims'];
} {
  const { kept, dropped, trims } = readPlanFile(readTextFile(file), file);
  return {
    only: kept,
    trims,
    reasons: new Map(
      dropped.map(({ id, strategy, reason }) => [id, `dropped by ${strategyTitle(strategy)}: ${reason}`]),
    ),
  };
}

/** Reads a text file named by the user. Throws `not_found`, `not_permitted`. */
export function readTextFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    throw wrapReadError(thrown, file, 'give a file that exists and that you may read');
  }
}

/**
 * Returns the target file of a plan; `null` without `--out` or with `--dry-run`. Only an earlier plan may be replaced.
 */
export function planOut(args: { readonly out?: string; readonly dryRun?: boolean }): OutFile | null {
  return args.out === undefined || args.dryRun === true ? null : { path: args.out, mayReplace: isPlan };
}

/** Tests whether a file begins like a plan file, whose first member is its schema. */
const isPlan = (head: string): boolean => /^\s*\{\s*"schema":\s*"assay\/curation-plan\/v1"/.test(head);
