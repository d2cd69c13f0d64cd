import { AssayError, canonicalJson, type JsonValue, sha256 } from '#core';
import type { ModelSurfaceId, ModelUse } from '#core/api';
import {
  type JobLayerRow,
  type LaneFrame,
  type LayerConfig,
  surfacesOf,
  unavailableReason,
  type VisionModel,
} from '#labels/annotation';
import {
  askEndpoint,
  type JpegPicture,
  type ModelRef,
  type ModelSelection,
  modelName,
  type VisionQuestion,
  type VisionUsage,
} from '#labels/models';

/** Callbacks of a vision model. */
export interface VisionHooks {
  readonly signal: AbortSignal;
  readonly progress: () => void;
  readonly onUsage: (usage: VisionUsage) => void;
  /** Called with the name of the model after each answer. */
  readonly onAnswer: (model: string) => void;
  /** Runs work that needs no local compute; other lanes may compute meanwhile. */
  readonly outsideTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Returns a client for the vision endpoint of a model, or null if the model has no endpoint. */
export function visionModel(
  { model, endpoint }: Pick<ModelRef, 'model' | 'endpoint'>,
  { signal, progress, onUsage, onAnswer, outsideTurn: away }: VisionHooks,
): VisionModel | null {
  if (endpoint === undefined) return null;
  return {
    model,
    async ask<Answer>(question: VisionQuestion<Answer, LaneFrame>): Promise<Answer> {
      const shown: (string | JpegPicture)[] = [];
      for (const part of question.content)
        shown.push(typeof part === 'string' ? part : await encodePicture(part));
      const answer = await away(() =>
        askEndpoint(endpoint, { ...question, content: shown }, { signal, onAlive: progress, onUsage }),
      );
      onAnswer(model);
      return answer;
    },
  };
}

async function encodePicture({ rgb, width_px, height_px }: LaneFrame): Promise<JpegPicture> {
  const { default: sharp } = await import('sharp');
  const raw = { width: width_px, height: height_px, channels: 3 } as const;
  return { jpeg: await sharp(rgb, { raw }).jpeg({ quality: 85 }).toBuffer(), width_px, height_px };
}

/** Returns true if any of the models uses a vision endpoint. */
export const usesVisionEndpoint = (models: Readonly<Partial<Record<string, ModelRef>>>): boolean =>
  Object.values(models).some((ref) => ref?.endpoint !== undefined);

/** Separator between several model ids of one layer. */
export const modelSeparator = ', ';

/**
 * Returns the distinct models that a layer would run with these settings, joined by `modelSeparator`, or null if it
 * runs none. `recorded`: surfaces whose output is part of some episodes, so that they need no model. Throws
 * `layer_unavailable`.
 */
export function laneModel(
  row: JobLayerRow,
  config: LayerConfig,
  { runnable, missing }: ModelSelection,
  { advice, recorded = [] }: { readonly advice: string; readonly recorded?: readonly ModelSurfaceId[] },
): string | null {
  const lacking = new Map([...missing].filter(([surface]) => !recorded.includes(surface)));
  const reason = unavailableReason(row, lacking);
  if (reason !== null)
    throw new AssayError('layer_unavailable', `${row.id} cannot run: ${reason}`, {
      advice,
      details: { layer: row.id },
    });
  return plannedModel(row, config, runnable);
}

function plannedModel(
  { needs }: Pick<JobLayerRow, 'needs'>,
  config: LayerConfig,
  runnable: ModelSelection['runnable'],
): string | null {
  return joinNames(
    needs.models.flatMap(({ surface, when }) => {
      const model = runnable.get(surface);
      return model === undefined || when?.(config) === false ? [] : [modelName(model)];
    }),
  );
}

/**
 * Returns the distinct models that ran, joined by `modelSeparator` in the order in which the layer declares them; null if none
 * did.
 */
export const usedModel = (row: Pick<JobLayerRow, 'needs'>, uses: readonly ModelUse[]): string | null =>
  joinNames(sortUses(row, uses).map(({ model }) => model));

/** Returns the models that ran, sorted as the layer declares their surfaces. */
export function sortUses(row: Pick<JobLayerRow, 'needs'>, uses: readonly ModelUse[]): ModelUse[] {
  const declared = surfacesOf(row);
  return uses.toSorted((a, b) => declared.indexOf(a.surface) - declared.indexOf(b.surface));
}

const joinNames = (names: readonly string[]): string | null =>
  names.length === 0 ? null : [...new Set(names)].join(modelSeparator);

/**
 * Returns the models and the settings hash that a job of the layer would have with these models; without a model where
 * none can run.
 */
export function layerIdentity(
  row: JobLayerRow,
  runnable: ModelSelection['runnable'],
  config: LayerConfig,
): { readonly model: string | null; readonly config_hash: string } {
  const model = plannedModel(row, config, runnable);
  return { model, config_hash: configHash(row, model, config) };
}

/** Returns a SHA-256 of everything except the episode that affects a layer's output. */
export function configHash(
  { id, lane }: Pick<JobLayerRow, 'id' | 'lane'>,
  model: string | null,
  config: LayerConfig,
): string {
  const decides = { layer: id, version: lane?.version ?? 0, model, config };
  return sha256(canonicalJson(decides as unknown as JsonValue));
}
