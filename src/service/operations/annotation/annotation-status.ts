import type { AnnotationCoverage, AnnotationStatus, LayerId } from '#core/api';
import type { Kind } from '#core/episode';
import {
  computeCoverage,
  countApplicable,
  layerOf,
  layerState,
  layers,
  missingForLayers,
  missingQualityReason,
  resolveLayers,
  unavailableReason,
} from '#labels/annotation';
import { collectModelChoices, type Inventory, recentInventory, selectModels } from '#labels/models';
import { annotationRows, inputRows, type StatusInputs, type Store } from '#store';
import { answerCachePerStore, type SerializedAnswer } from '../caches.ts';
import { type Call, requireRole } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { storedUseCase } from '../use-cases.ts';
import { toProjectInputs } from './project-inputs.ts';

interface ProjectPath {
  readonly project_id: string;
}

/**
 * Returns the state, coverage, availability and open job of each annotation layer of a project. Throws `not_found`.
 */
export async function getAnnotationStatus(
  store: Store,
  call: Call,
  { project_id }: ProjectPath,
): Promise<AnnotationStatus> {
  requireRole(call, 'viewer');
  const [text, inventory] = await Promise.all([
    inputRows.readStatusInputs(store.database, call.actor.tenant_id, project_id),
    recentInventory(store.data_folder),
  ]);
  if (text === null) throw noProject();
  return statusView(store, JSON.parse(text), inventory);
}

const statusCaches = answerCachePerStore<StatusInputs, AnnotationStatus>();

/**
 * Returns the answer of `getAnnotationStatus` as serialized JSON, computed again only if its inputs have changed. Do not call
 * it inside a transaction: it reads outside of it and does not see its writes. Throws `not_found`.
 */
export async function getCachedAnnotationStatus(
  store: Store,
  call: Call,
  { project_id }: ProjectPath,
): Promise<SerializedAnswer<AnnotationStatus>> {
  requireRole(call, 'viewer');
  const { tenant_id } = call.actor;
  const inventory = await recentInventory(store.data_folder);
  const answer = await statusCaches(store).answer(`${tenant_id} ${project_id}`, {
    readInputs: () => inputRows.readStatusInputs(store.database, tenant_id, project_id),
    context: inventory,
    compute: (stored) => statusView(store, stored, inventory),
  });
  if (answer === null) throw noProject();
  return answer;
}

/**
 * Returns, for each annotation layer and data kind of a project, how many episodes are covered and how good the
 * result is. Throws `not_found`.
 */
export async function getAnnotationCoverage(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<AnnotationCoverage> {
  requireRole(call, 'viewer');
  const { database } = store;
  const { tenant_id } = call.actor;
  const text = await inputRows.readStatusInputs(database, tenant_id, project_id);
  if (text === null) throw noProject();
  const stored = JSON.parse(text) as StatusInputs;
  const unassessed = stored.annotations.filter(({ assessed }) => assessed === 0);
  const examples = await annotationRows.findQualityReasons(database, tenant_id, project_id, unassessed);
  return coverageView(stored, examples);
}

/** Builds the status of every layer from the stored inputs and the installed models. */
function statusView(
  store: Pick<Store, 'environment_models' | 'vision_endpoint'>,
  stored: StatusInputs,
  inventory: Inventory,
): AnnotationStatus {
  const inputs = toProjectInputs(stored, stored.counts, null);
  const { tenant_models } = stored;
  const use_case = storedUseCase(stored.use_case).id;
  const wishes = collectModelChoices(store, { use_case, tenant_models, project: inputs.project.models });
  const missing = missingForLayers(selectModels(wishes, inventory).missing, stored.recorded_depth);
  const { last_run } = stored;
  const done = new Set(last_run?.layers);
  const jobs = new Map(stored.open_jobs.map(({ layer, id }) => [layer, id]));
  return {
    project_id: stored.id,
    episodes: inputs.episodes,
    last_run: last_run === null ? null : { id: last_run.id, finished_at: last_run.finished_at },
    layers: resolveLayers(inputs).map((layer) => {
      const row = layerOf(layer.id);
      const coverage = computeCoverage(row, inputs.kinds, inputs.pinned_kind, stored.annotations);
      const covered = countApplicable(coverage, 'covered');
      const not_produced = countApplicable(coverage, 'not_produced');
      const unavailable = unavailableReason(row, missing);
      const job_id = jobs.get(layer.id) ?? null;
      const under_way = job_id !== null;
      const { state, reason } = layerState({ layer, covered, not_produced, unavailable, under_way });
      return {
        layer: layer.id,
        state,
        reason,
        mode: layer.mode,
        covered_episodes: covered,
        not_produced_episodes: not_produced,
        applicable_episodes: layer.applicability.applicable_episodes,
        ran_in_last_run: done.has(layer.id),
        available: unavailable === null,
        unavailable_reason: unavailable,
        job_id,
      };
    }),
  };
}

/**
 * Builds the coverage of every layer by data kind, with its quality signal. `examples`: reasons of episodes without a
 * quality.
 */
function coverageView(
  stored: StatusInputs,
  examples: readonly annotationRows.QualityReason[],
): AnnotationCoverage {
  const inputs = toProjectInputs(stored, stored.counts, null);
  const exampleOf = (layer: LayerId, kind: Kind) =>
    examples.find((one) => one.layer === layer && (inputs.pinned_kind !== null || one.kind === kind))
      ?.reason ?? null;
  return {
    project_id: stored.id,
    layers: layers.rows.map((row) => ({
      layer: row.id,
      quality_signal: row.quality.signal,
      kinds: computeCoverage(row, inputs.kinds, inputs.pinned_kind, stored.annotations).map((kind) => ({
        ...kind,
        quality_reason: missingQualityReason(kind, exampleOf(row.id, kind.kind)),
      })),
    })),
  };
}
