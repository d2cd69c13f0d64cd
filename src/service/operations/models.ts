import { AssayError, canonicalJson, pointerPart } from '#core';
import type { ModelRegistry, ModelSurface, UseCaseId } from '#core/api';
import type { StoredSettings } from '#labels/annotation';
import {
  chooseModel,
  collectModelChoices,
  createRunnablePredicate,
  explainMissing,
  findOption,
  findRejected,
  type Inventory,
  listWeightFiles,
  type ModelChoices,
  type ModelOption,
  modelOptions,
  modelRefusalReason,
  readTenantModels,
  recentInventory,
  type SurfaceRow,
  surfaces,
} from '#labels/models';
import { findUseCase } from '#quality/use-cases';
import { type Store, tenantModelRows } from '#store';
import { appendAudit } from './audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from './call.ts';

/** Use case to list the models for. */
export interface ModelQuery {
  readonly use_case?: string | undefined;
}

/** Returns all model surfaces with their options and the model that projects (of `use_case`) use unless they choose one. */
export async function listModels(store: Store, call: Call, { use_case }: ModelQuery): Promise<ModelRegistry> {
  requireRole(call, 'viewer');
  const use_case_id = use_case === undefined ? null : (findUseCase(use_case)?.id ?? null);
  const found = await tenantModelRows.getTenantModels(scopeOf(store, call));
  return registryView(store, found?.models, use_case_id);
}

/**
 * Stores the tenant's models, which projects use unless they choose their own, audits a change as `policy`, and returns all
 * surfaces. Throws `invalid_request` for a model that may not be chosen.
 */
export async function setModels(
  store: Store,
  call: Call,
  modelInput: { readonly models: Readonly<Record<string, string>> },
): Promise<ModelRegistry> {
  requireRole(call, 'admin');
  const scope = scopeOf(store, call);
  const to = { ...validateModelChoice(modelInput.models) };
  await store.database.transaction(async () => {
    await tenantModelRows.ensureTenantModels(scope, call.now);
    const from = { ...readTenantModels((await tenantModelRows.getTenantModels(scope, 'update'))?.models) };
    if (canonicalJson(from) === canonicalJson(to)) return;
    await tenantModelRows.setTenantModels(scope, to, call.now);
    await appendAudit(store, call, {
      action: 'set_models',
      object_type: 'annotation_policy',
      object_id: scope.tenant_id,
      before: from,
      after: to,
      detail: { change: 'policy', stored: { from, to } },
    });
  });
  return registryView(store, to, null);
}

/** Returns the API view of the model registry for a tenant and use case, with weights of installed models. */
export async function registryView(
  store: Pick<Store, 'data_folder' | 'environment_models' | 'vision_endpoint'>,
  tenant_models: unknown,
  use_case: UseCaseId | null,
): Promise<ModelRegistry> {
  const inventory = await recentInventory(store.data_folder);
  const wishes = collectModelChoices(store, { use_case, tenant_models, project: {} });
  const items = surfacesView(wishes, inventory).map((surface) => ({
    ...surface,
    options: surface.options.map((option) => {
      const weights = inventory.get(option.id)?.weights ?? null;
      return weights === null ? option : { ...option, weights };
    }),
  }));
  return { items, tenant_models: { ...readTenantModels(tenant_models) } };
}

/** Returns the API view of every model surface: the model in effect, and which options are installed. */
export const surfacesView = (wishes: ModelChoices, inventory: Inventory): ModelSurface[] =>
  surfaces.rows.map((surface) => surfaceView(surface, wishes, inventory));

function surfaceView(surface: SurfaceRow, wishes: ModelChoices, inventory: Inventory): ModelSurface {
  const isRunnableHere = createRunnablePredicate(inventory, wishes);
  const { model, from, passed_over } = chooseModel(surface, wishes, isRunnableHere);
  return {
    id: surface.id,
    title: surface.title,
    selectable: surface.selectable,
    chosen: {
      ...{ model: model.id, from, passed_over },
      missing: isRunnableHere(model) ? null : explainMissing(surface, { model, from }, inventory),
    },
    options: surface.options.map((option) => optionView(option, inventory)),
    rejected: surface.rejected.map((rival) => ({
      ...rival,
      evidence: [...rival.evidence],
      no_evidence: rival.no_evidence ?? null,
    })),
  };
}

function optionView(
  { weights: _, bundled: __, contract: ___, ...option }: ModelOption,
  inventory: Inventory,
): ModelSurface['options'][number] {
  const installed = inventory.get(option.id)?.installed ?? 'absent';
  const { needs_consent = null, no_evidence = null } = option;
  return { ...option, evidence: [...option.evidence], no_evidence, needs_consent, installed };
}

/**
 * Returns the models as they are if every one may be chosen. Throws `invalid_request` naming each surface or model
 * that may not, and those that may.
 */
export function validateModelChoice(models: Readonly<Record<string, string>>): StoredSettings['models'] {
  const errors = Object.entries(models).flatMap(([surface, model]) => {
    const message = explainObjection(surface, model);
    return message === null ? [] : [{ pointer: `/body/models/${pointerPart(surface)}`, message }];
  });
  if (errors.length === 0) return models;
  throw new AssayError('invalid_request', errors.map(({ message }) => message).join('; '), {
    advice: 'see GET /v1/models for the available models and why others are not offered',
    details: { errors },
  });
}

function explainObjection(surface_id: string, model: string): string | null {
  const surface = surfaces.get(surface_id);
  const selectable = surfaces.rows.filter(({ selectable }) => selectable).map(({ id }) => id);
  if (surface === undefined)
    return `unknown model surface ${surface_id}; models can be chosen for ${selectable.join(', ')}`;
  if (!surface.selectable)
    return `the model of ${surface_id} cannot be changed; models can be chosen for ${selectable.join(', ')}`;
  return modelRefusalReason(surface, model);
}

/**
 * Returns the model with this id, in any case of letters. Throws `usage` naming the available models, and the licence if that is why it is
 * not offered.
 */
export function requireModel(id: string): ModelOption {
  const option = findOption(id.toLowerCase());
  if (option !== null) return option;
  const rejected = findRejected(id);
  const why =
    rejected === null
      ? `unknown model ${id}`
      : `${id} is not offered because of its licence (${rejected.licence}: ${rejected.reason})`;
  throw new AssayError('usage', why, {
    advice: `choose one of ${modelOptions.map((one) => one.id).join(', ')}`,
  });
}

/** Returns the models that have files in the models folder, in catalogue order; empty if there are none. */
export async function installedModels(data_folder: string): Promise<readonly ModelOption[]> {
  const placed = await listWeightFiles(data_folder);
  return modelOptions.filter(({ id }) => placed.has(id));
}
