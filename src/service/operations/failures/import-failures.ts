import { AssayError, newId } from '#core';
import { type FailureFormat, type FailureImport, type FailureRecord, maxFailures } from '#core/api';
import { type DescribedFailure, describeFailure, readFailures, type StoredEpisode } from '#quality/failures';
import { descriptors } from '#quality/search';
import {
  type FailureImportRow,
  type FailureRow,
  failureRows,
  projectRows,
  type Store,
  sourceRows,
  type TenantScope,
} from '#store';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type LoadedEpisodes, loadEpisodes } from '../curation/load-episodes.ts';
import { noProject } from '../projects/views.ts';
import { insertGapSlice, scoreFailuresInThread, toEpisodeIds } from '../slices/score-failures.ts';
import { noSource } from '../sources/views.ts';
import { importOf } from './list-failures.ts';

/** Failures to import, with scoring options. */
export interface ImportFailures extends FailureInput {
  readonly project_id: string;
  readonly name?: string | undefined;
  readonly neighbours: number;
  readonly novel_from: number;
}

/**
 * Describes failures, scores them against the project's episodes, freezes the nearest episodes of near failures as a slice,
 * and returns the import; all is stored and audited, or nothing. Throws as `collectFailures`, and `busy`.
 */
export async function importFailures(
  store: Store,
  call: Call,
  { project_id, name = 'Failures', neighbours, novel_from, ...input }: ImportFailures,
): Promise<FailureImport> {
  requireRole(call, 'reviewer');
  const scope = scopeOf(store, call);
  const loaded = await loadEpisodes(scope, project_id, { samples: false });
  const { failures, notes } = await collectFailures(scope, loaded, input);
  const options = { neighbours, novel_from };
  const scored = await scoreFailuresInThread(
    store,
    loaded,
    failures.map(({ described }) => described),
    options,
  );
  const rows = failures.map((failure, i) => toFailureRow(failure, scored.failures[i], loaded));
  const counted = (verdict: FailureRow['verdict']) => rows.filter((row) => row.verdict === verdict).length;
  const import_id = newId('fim');
  return store.database.transaction(async () => {
    const project = await projectRows.getProject(scope, project_id, 'share');
    if (project === null) throw noProject();
    const slice_id =
      scored.gaps.length === 0
        ? null
        : await insertGapSlice(store, call, project, {
            ...{ name, import_id, ...options },
            scored: toEpisodeIds(scored, loaded),
          });
    const row: FailureImportRow = {
      tenant_id: scope.tenant_id,
      id: import_id,
      ...{ project_id, name, ...options, slice_id, notes: [...notes] },
      failures: rows.length,
      near: counted('near'),
      novel: counted('novel'),
      not_assessable: counted('not_assessable'),
      baseline: scored.baseline,
      created_at: call.now,
      created_by: actorId(call),
    };
    await failureRows.insertImport(scope, row, rows);
    const { near, novel, not_assessable } = row;
    await appendAudit(store, call, {
      action: 'import_failures',
      object_type: 'failure_import',
      object_id: import_id,
      before: null,
      after: { failures: rows.length, near, novel, not_assessable, slice_id },
      detail: { project_id, name },
    });
    return importOf(row);
  });
}

function toFailureRow(
  { record, described, episode_id }: CollectedFailure,
  scored: Awaited<ReturnType<typeof scoreFailuresInThread>>['failures'][number],
  { ids }: LoadedEpisodes,
): Omit<FailureRow, 'tenant_id' | 'import_id' | 'project_id'> {
  const { verdict, reason, by, distance, novelty, nearest } = scored;
  return {
    id: newId('fai'),
    record_id: record.id,
    task: record.task ?? null,
    failure_mode: record.failure_mode ?? null,
    time_s: record.time_s ?? null,
    occurred_at: record.occurred_at === undefined ? null : new Date(record.occurred_at),
    episode_id,
    ...{ verdict, reason, distance, novelty },
    by: by ?? described.by,
    layout: described.layout,
    vector: described.vector === null ? null : `[${described.vector.join()}]`,
    nearest: nearest.map(({ id, distance: away }) => ({ episode_id: ids.get(id) ?? id, distance: away })),
  };
}

interface FailureInput {
  readonly records?: readonly FailureRecord[] | undefined;
  readonly file?: { readonly format: FailureFormat; readonly text: string } | undefined;
  readonly source_id?: string | undefined;
  readonly task?: string | undefined;
}

/** A failure with the descriptor that it is compared by. */
interface CollectedFailure {
  readonly record: FailureRecord;
  readonly described: DescribedFailure;
  readonly episode_id: string | null;
}

interface CollectedFailures {
  readonly failures: readonly CollectedFailure[];
  readonly notes: readonly string[];
}

/**
 * Reads and describes the failures of a request. Throws `invalid_request` unless exactly one of records, file and
 * source is given, `unreadable_input`, `not_found` for an episode or source, `not_ready` for a source without
 * failures.
 */
async function collectFailures(
  scope: TenantScope,
  loaded: LoadedEpisodes,
  { records, file, source_id, task }: FailureInput,
): Promise<CollectedFailures> {
  const inputs = [records, file, source_id].filter((one) => one !== undefined).length;
  if (inputs !== 1) throw oneInputRequired(inputs);
  if (source_id !== undefined) return collectFromSource(scope, loaded, source_id);
  const read =
    file === undefined ? { records: records!, notes: [] } : readFailures(file.text, file.format, 'file');
  requireUniqueIds(read.records);
  const findEpisode = episodeFinder(loaded);
  const failures = read.records.map((record) => {
    const found = record.episode === undefined ? null : findEpisode(record);
    const described = describeFailure(record, task ?? null, found?.episode ?? null, true);
    return { record, described, episode_id: found?.id ?? null };
  });
  return { failures, notes: read.notes };
}

/**
 * Returns the failed episodes of a source as failures, whichever project the source belongs to. Throws `not_found`,
 * `not_ready` if there are none, `limit_exceeded`.
 */
async function collectFromSource(
  scope: TenantScope,
  loaded: LoadedEpisodes,
  source_id: string,
): Promise<CollectedFailures> {
  if ((await sourceRows.getSource(scope, source_id)) === null) throw noSource();
  const { version } = descriptors.get('motion')!;
  const rows = await failureRows.failedEpisodes(scope, { source_id, version, limit: maxFailures + 1 });
  if (rows.length === 0)
    throw new AssayError('not_ready', 'the source has no failed episodes', {
      advice: 'run the source first',
    });
  if (rows.length > maxFailures)
    throw new AssayError('limit_exceeded', `the source has more than ${maxFailures} failed episodes`, {
      advice: 'split the source into smaller ones',
    });
  const names = new Map([...loaded.ids].map(([name, id]) => [id, name]));
  const failures = rows.map(({ id, name, task, layout, vector }) => {
    const record: FailureRecord = {
      id,
      episode: name,
      ...(task === null ? {} : { task: task.slice(0, 2000) }),
    };
    const own = names.get(id);
    const episode: StoredEpisode = {
      id: own ?? id,
      ...(vector === null ? {} : { motion: Float32Array.from(JSON.parse(vector)) }),
      layouts: { motion: layout ?? '' },
    };
    return { record, described: describeFailure(record, null, episode, own !== undefined), episode_id: id };
  });
  return { failures, notes: [] };
}

/** Returns a function that finds a project's episode by id or plan name and throws `not_found` for others. */
function episodeFinder({ ids, episodes }: LoadedEpisodes) {
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const byName = new Map(episodes.map((episode) => [episode.id, episode]));
  return ({ id, episode = '' }: FailureRecord) => {
    const name = names.get(episode) ?? episode;
    const found = byName.get(name);
    if (found === undefined)
      throw new AssayError(
        'not_found',
        `the failure ${id} refers to the episode ${episode}, which is not in the project`,
        {
          advice: 'refer to an episode by id or name, or omit it and send a trajectory',
        },
      );
    return { id: ids.get(name)!, episode: found };
  };
}

function requireUniqueIds(records: readonly FailureRecord[]): void {
  const seenIds = new Set<string>();
  for (const [i, { id }] of records.entries()) {
    if (seenIds.has(id)) throw invalidInput(`/body/records/${i}/id`, `duplicate failure id ${id}`);
    seenIds.add(id);
  }
}

const oneInputRequired = (inputCount: number): AssayError =>
  invalidInput('/body', `exactly one of records, file and source_id is required; got ${inputCount}`);

const invalidInput = (pointer: string, message: string): AssayError =>
  new AssayError('invalid_request', message, { details: { errors: [{ pointer, message }] } });
