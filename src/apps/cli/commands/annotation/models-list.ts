import { join } from 'node:path';
import { type ModelRegistry, type ModelSurface, requestOf } from '#client';
import { messageOf } from '#core';
import { type OnnxProvider, onnxProviders } from '#labels/models';
import { defaultTenant, listModels, registryView } from '#service/operations';
import type { Io } from '../../io.ts';
import type { Launcher, ModelEnvironment } from '../../launcher.ts';
import { createServiceClient } from '../../service-client.ts';
import { callInTenant } from '../../tenant-call.ts';
import { columns } from '../../text.ts';
import { withStore } from '../../with-store.ts';
import type { TenantArguments } from '../service/token.ts';

/**
 * Runs `assay models list`. Reads the tenant's choice from the running service or from the database; without either,
 * lists defaults.
 */
export async function listModelsCommand(args: TenantArguments, io: Io, launcher: Launcher): Promise<number> {
  const place = await launcher.modelPlace(args);
  const registry = await readRegistry(args, io, launcher, place);
  const folder = join(place.data_folder, 'models');
  const onnx_providers = onnxProviders(place.onnx_provider);
  if (args.json === true)
    await io.out(`${JSON.stringify({ folder, hub: place.hub, onnx_providers, ...registry })}\n`);
  else await io.out(`${inWords(registry, folder)}${providersInWords(onnx_providers)}`);
  return 0;
}

async function readRegistry(
  args: TenantArguments,
  io: Io,
  launcher: Launcher,
  place: ModelEnvironment,
): Promise<ModelRegistry> {
  try {
    const chosen = await readTenantRegistry(args, launcher, place);
    if (chosen !== null) return chosen;
  } catch (thrown) {
    // Whoever names a tenant wants to know about it.
    if (args.tenant !== defaultTenant) throw thrown;
    io.note(
      `assay: cannot read which models the tenant has selected, so defaults are shown: ${messageOf(thrown)}\n`,
    );
  }
  return registryView(place, null, null);
}

/** Returns the model registry with the choices of a tenant; `null` if there is neither a service nor a database. */
async function readTenantRegistry(
  args: TenantArguments,
  launcher: Launcher,
  { has_database }: ModelEnvironment,
): Promise<ModelRegistry | null> {
  const service = args.tenant === defaultTenant ? await launcher.findService(args) : null;
  if (service !== null) return createServiceClient(service).annotation.listModels();
  if (!has_database) return null;
  const instead = { request: requestOf('list_models', {}), tenant: args.tenant };
  return withStore(launcher, args, instead, async (store) =>
    listModels(store, await callInTenant(store, args.tenant), {}),
  );
}

function inWords({ items }: ModelRegistry, folder: string): string {
  const rows = items.flatMap((surface) =>
    surface.options.map((option, index) => [
      index === 0 ? surface.id : '',
      option.id,
      selectionInWords(surface, option),
      option.licence,
      hereInWords(option),
    ]),
  );
  const passed = items.flatMap(({ id, chosen }) =>
    chosen.passed_over === null ? [] : [`${id}: ${chosen.passed_over} was requested but is not available\n`],
  );
  return [
    columns([['task', 'model', 'selected', 'licence', 'weights'], ...rows]),
    ...passed,
    `\nWeights are stored in ${folder}/<vendor>/<model>. \`assay models pull <model>\` downloads them. Models without published weights must be exported first (docs/models.md).\n`,
  ].join('');
}

function selectionInWords(
  { chosen }: ModelSurface,
  { id, needs_consent }: ModelSurface['options'][number],
): string {
  if (id === chosen.model) return `by ${chosen.from.replace('_', ' ')}`;
  return needs_consent === null ? '' : 'only on request';
}

const providersInWords = (providers: readonly OnnxProvider[]): string =>
  [
    `\nONNX models run on ${
      providers
        .filter(({ used }) => used)
        .map(({ id }) => id)
        .join(', ') || 'no provider'
    } (ASSAY_ONNX_PROVIDER):\n`,
    ...providers.map(({ id, reason }) => `  ${id.padEnd(9)} ${reason}\n`),
  ].join('');

function hereInWords({ installed, weights }: ModelSurface['options'][number]): string {
  if (installed === 'no_weights_needed') return 'no weights needed';
  if (installed === 'endpoint') return 'on your own server';
  if (weights === undefined || installed === 'bundled') return installed;
  if (installed === 'absent')
    return weights.source === null ? 'not installed, no published weights' : 'not installed';
  if (installed === 'unusable') return `unusable: ${weights.fault}`;
  const state = installed === 'installed' ? 'installed' : 'downloaded, not tested';
  return weights.files.every(({ sha256 }) => sha256 !== null) ? state : `${state}, not pinned`;
}
