import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { AssayClient } from '#client';
import { AssayError, wrapReadError } from '#core';
import { type FailureRecord, maxFailures } from '#core/api';
import { curationEpisodes, indexEpisodes } from '#engine/local';
import type { CurationEpisode } from '#quality/curation';
import { type DescribedFailure, describeFailure, detectFailureFormat, readFailures } from '#quality/failures';
import { assessOptionsOf, type WorkArguments } from '../../assess-options.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { projectOf, reachService, type ServiceArguments } from '../../service-client.ts';
import { noNearFailureText, renderFailures } from '../../tables/failure-table.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import type { PlanArguments } from './curate-options.ts';
import { readPlan, readTextFile } from './plan-files.ts';

/**
 * Runs `assay loop --project`: imports failures at a running service, curates around the nearest episodes and stages an
 * export.
 */
export async function loopProject(
  args: LoopArguments & { readonly project: string },
  io: Io,
  launcher: Launcher,
): Promise<number> {
  if (args.out !== undefined || args.operators !== undefined)
    throw new AssayError(
      'usage',
      '--out and --operators do not work with --project: the service stores its plans itself',
      {
        advice: 'leave them out, or use a path instead of --project',
      },
    );
  const input = inputOf(args.failures);
  const { task, neighbours, novelFrom: novel_from, factor, format, dryRun, json } = args;
  if (dryRun === true) {
    await io.out('Dry run: the failures are readable; nothing was imported\n');
    return 0;
  }
  const client = await reachService(args, launcher);
  const project_id = await projectOf(client, args.project);
  const { value: imported } = await client.ask('import_failures', {
    ...{ project_id, ...input, neighbours, novel_from },
    ...(task === undefined ? {} : { task }),
  });
  const failures = await listFailures(client, project_id, imported.id);
  const plan = readPlan(args);
  const closed =
    imported.near === 0
      ? null
      : (
          await client.ask('close_loop', {
            ...{ project_id, import_id: imported.id, factor },
            ...(plan === null ? {} : { plan: JSON.parse(JSON.stringify(plan)) }),
            ...(format === undefined ? {} : { format: format as 'lerobot-v3' }),
          })
        ).value;
  if (json === true) {
    await io.out(`${JSON.stringify({ import: imported, failures, closed })}\n`);
    return 0;
  }
  const found = renderFailures({ baseline: imported.baseline, failures, notes: imported.notes }, io.columns);
  const next =
    closed === null
      ? noNearFailureText(failures, 'export')
      : `Stored:  ${imported.slice_id} (slice), ${closed.curation.id} (plan)\nStaged:  ${closed.export.id}, ${closed.export.episodes.kept} episodes; a person must seal it before it is used\n`;
  await io.out(found + next);
  return 0;
}

/** Returns all failures of an import, in the order of the import. */
async function listFailures(client: AssayClient, project_id: string, import_id: string) {
  const all = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.failures.list({
      ...{ project_id, import_id, limit: 500 },
      ...(cursor === undefined ? {} : { cursor }),
    });
    all.push(...page.items);
    cursor = page.next_cursor;
  }
  return all.reverse().map(({ record_id, nearest, ...row }) => {
    return {
      ...row,
      id: record_id,
      nearest: nearest.map(({ episode_id, distance }) => ({ id: episode_id, distance })),
    };
  });
}

/** Resolves `--failures` to a source id or a file of failures. Throws `usage` for local recordings. */
function inputOf(failures: string) {
  if (/^src_[0-9a-z]{26}$/.test(failures)) return { source_id: failures };
  const choice = readChoice(failures);
  if (choice.kind === 'file') return { file: { format: choice.format, text: choice.text } };
  throw new AssayError(
    'usage',
    `${failures} is a local recording; a service reads failures from its own sources`,
    {
      advice: 'run assay ingest on it, then pass the id of its source: --failures src_…',
    },
  );
}

export interface LoopArguments extends PlanArguments, ServiceArguments, FailureContext {
  readonly failures: string;
  readonly neighbours: number;
  readonly novelFrom: number;
  readonly factor: number;
  readonly format?: string;
  readonly out?: string;
  readonly dryRun?: boolean;
  readonly project?: string;
  readonly json?: boolean;
}

/** Parsed `--failures`: a file of failure records, or recordings of failed attempts. */
export type FailureChoice =
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly format: 'json' | 'csv' | 'lerobot-eval';
      readonly text: string;
      readonly records: readonly FailureRecord[];
      readonly notes: readonly string[];
    }
  | { readonly kind: 'recordings'; readonly path: string };

/**
 * Reads a JSON or CSV file of failures; any other path is taken as recordings. Throws `unreadable_input`, `not_found`.
 */
export function readChoice(path: string): FailureChoice {
  let isFile: boolean;
  try {
    isFile = statSync(path).isFile();
  } catch (thrown) {
    throw wrapReadError(thrown, path, 'pass a file of failures or a folder of recordings');
  }
  if (!isFile || !/\.(json|csv)$/i.test(path)) return { kind: 'recordings', path };
  const text = readTextFile(path);
  const format = detectFailureFormat(basename(path), text)!;
  return { kind: 'file', path, format, text, ...readFailures(text, format, path) };
}

interface FailureContext extends WorkArguments {
  /** Task of records without a task. */
  readonly task?: string;
}

/**
 * Describes failures so that they can be compared with the training episodes. Throws `usage` if a record names an
 * unknown episode.
 */
export async function describeFailures(
  choice: FailureChoice,
  episodes: readonly CurationEpisode[],
  context: FailureContext,
  io: Io,
): Promise<DescribedFailure[]> {
  const task = context.task ?? null;
  if (choice.kind === 'recordings')
    return describeRecordings(await indexWithProgress(choice.path, context, io), choice.path);
  const byRecording = new Map<string, readonly CurationEpisode[]>();
  const described: DescribedFailure[] = [];
  for (const record of choice.records) {
    const { recording } = record;
    if (recording === undefined) {
      const storedEpisode =
        record.episode === undefined ? null : findEpisode(episodes, record, record.episode);
      described.push(describeFailure(record, task, storedEpisode, true));
      continue;
    }
    const path = resolve(dirname(choice.path), recording);
    const found = byRecording.get(path) ?? (await indexWithProgress(path, context, io));
    byRecording.set(path, found);
    const only = record.episode === undefined && found.length === 1 ? found[0].id : (record.episode ?? '');
    described.push(describeFailure(record, task, findEpisode(found, record, only), false));
  }
  return described;
}

function describeRecordings(found: readonly CurationEpisode[], path: string): DescribedFailure[] {
  const failed = found.filter(({ outcome }) => outcome !== 'success');
  if (failed.length === 0)
    throw new AssayError('unreadable_input', `${path} contains no failed episodes`, {
      path,
      advice: 'pass recordings of failed attempts',
    });
  if (failed.length > maxFailures)
    throw new AssayError(
      'limit_exceeded',
      `${path} contains ${failed.length} failed attempts; at most ${maxFailures} can be compared at once`,
      {
        path,
        advice: 'add --limit, or pass only some of the recordings',
      },
    );
  return failed.map((episode) => describeFailure({ id: episode.id }, null, episode, false));
}

async function indexWithProgress(
  path: string,
  context: FailureContext,
  io: Io,
): Promise<readonly CurationEpisode[]> {
  const progress = createProgressLine(io, path);
  const hooks = { signal: io.signal, onProgress: progress.show };
  const index = await indexEpisodes(path, assessOptionsOf(context), hooks).finally(() => progress.end());
  return curationEpisodes(index);
}

function findEpisode(
  episodes: readonly CurationEpisode[],
  { id, recording }: FailureRecord,
  name: string,
): CurationEpisode {
  const found = episodes.find((episode) => episode.id === name);
  if (found !== undefined) return found;
  const [example] = episodes;
  throw new AssayError(
    'usage',
    `failure ${id} names episode ${name}, which is not in ${recording ?? 'the training data'}`,
    {
      advice: example === undefined ? 'check the recording' : `use an episode id such as ${example.id}`,
    },
  );
}
