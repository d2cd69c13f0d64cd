import type { ReadinessSettings } from '#core/api';
import type { Kind } from '#core/episode';
import {
  type LookAnswer,
  listWebSource,
  lookAtRecordings,
  projectModels,
  resolveRecordings,
  runsAreCharged,
} from '#engine';
import { windowStart } from '#engine/budget';
import type { RecordingsRef } from '#io/sources';
import { layerOf, resolveLayers } from '#labels/annotation';
import type { MissingModels } from '#labels/models';
import {
  budgetRows,
  inputRows,
  projectCountRows,
  projectRows,
  type RunLayer,
  type Store,
  sourceRows,
  type TenantScope,
  type WebLocation,
} from '#store';
import { type ProjectInputs, readProjectInputs } from '../annotation/project-inputs.ts';
import type { RunnableModels } from '../annotation/vision-endpoint.ts';
import { type Call, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { effectiveSettings } from '../readiness/effective-settings.ts';
import { noSource } from '../sources/views.ts';

/** Source, settings and layers that a run would use now. */
export interface RunSource {
  readonly project_id: string;
  readonly source_id: string;
  readonly recordings: RecordingsRef;
  /** Revision of a web source that the run would read; null for other sources. */
  readonly revision: string | null;
  readonly settings: ReadinessSettings;
  readonly kind: Kind | null;
  readonly layers: readonly RunLayer[];
  readonly inputs: ProjectInputs;
  /** Models that can run on this machine, by surface. */
  readonly runnable: RunnableModels;
  /** The selected models that cannot run on this machine. */
  readonly missing: MissingModels;
  /** Whether the project has episodes recorded with a depth camera. */
  readonly recorded_depth: boolean;
}

/** A source to run. */
interface RunSourceQuery {
  readonly project_id: string;
  readonly source_id: string;
  /** Whether a web source is read in its current state, or as it was planned last. */
  readonly state: 'current' | 'planned';
}

/**
 * Returns a project's source with what a run of it would use; with the state `current` a web source is listed again and its
 * row updated. Throws `not_found`, and as `resolveRecordings` and `listWebSource`.
 */
export async function loadRunSource(
  store: Store,
  call: Call,
  { project_id, source_id, state }: RunSourceQuery,
): Promise<RunSource> {
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const found = await sourceRows.getSource(scope, source_id);
  if (found === null || found.project_id !== project_id) throw noSource();
  const refreshes = state === 'current' && found.state === 'ready' && isWebSource(found);
  const source = refreshes ? await refreshWebSource(store, scope, found) : found;
  const revision = isWebSource(source) ? source.location.listed : null;
  const pictures = await inputRows.readPictureMeans(store.database, scope.tenant_id, project_id);
  const inputs = await readProjectInputs(scope, project, pictures);
  const { runnable, missing } = await projectModels(store, project);
  return {
    project_id,
    source_id,
    recordings: await resolveRecordings(store, source, { revision }),
    revision,
    settings: effectiveSettings(project),
    kind: project.data_kind_override,
    layers: layersInRun(inputs),
    inputs,
    ...{ runnable, missing },
    recorded_depth: await projectCountRows.hasRecordedDepth(scope, project_id),
  };
}

/** A row of a source behind an address. */
type WebSourceRow = sourceRows.SourceRow & { readonly location: WebLocation };

/** Returns whether a source is behind an address. */
const isWebSource = (source: sourceRows.SourceRow): source is WebSourceRow => source.location.kind === 'web';

/**
 * Lists the address of a source again, so that plans and runs use its current state, and returns the changed row, or `source`
 * if it was deleted meanwhile. Throws as `listWebSource`.
 */
async function refreshWebSource(
  store: Store,
  scope: TenantScope,
  source: WebSourceRow,
): Promise<WebSourceRow> {
  const { revision, files, bytes } = await listWebSource(store, source, source.location.address);
  return store.database.transaction(async () => {
    const current = await sourceRows.getSource(scope, source.id, 'update');
    // Deleted meanwhile: whoever uses the row finds out.
    if (current === null || !isWebSource(current)) return source;
    const change = { location: { ...current.location, listed: revision }, files, bytes };
    await sourceRows.updateSource(scope, source.id, change);
    return { ...current, ...change };
  });
}

/**
 * Returns the layers that a run would execute on those of its episodes that can carry them, with the status `waiting`. The
 * kinds of existing episodes are ignored, because they say nothing about a new source; a pinned kind excludes layers that do
 * not fit it.
 */
function layersInRun(inputs: ProjectInputs): RunLayer[] {
  const { pinned_kind } = inputs;
  return resolveLayers(inputs)
    .filter(({ id, mode }) => {
      const fits = pinned_kind === null || layerOf(id).unfit[pinned_kind] === undefined;
      return mode === 'in_run' && fits;
    })
    .map(({ id, config }) => ({ ...waitingLayer, layer: id, config }));
}

const waitingLayer = { status: 'waiting', jobs: [], reason: null, compute_s: 0, cost_usd: 0 } as const;

/**
 * Inspects a source before a run is queued, if a budget cap might leave no room for the run, and returns what it found; null
 * if runs cost nothing or there is no cap. Throws what makes the source unreadable.
 */
export async function inspectIfCapped(
  store: Store,
  scope: TenantScope,
  recordings: () => Promise<RecordingsRef>,
): Promise<LookAnswer | null> {
  if (!runsAreCharged(store)) return null;
  const now = new Date();
  const { cap_usd } = await budgetRows.budgetUse(scope, { since: windowStart(now), now });
  return cap_usd === null ? null : lookAtRecordings(await recordings());
}
