import type { JsonObject } from '#core';
import type { ModelSurfaceId, PriceList } from '#core/api';
import { findModelTokenPrices } from '#engine';
import { computeTokenCost } from '#engine/budget';
import { type LayerRow, type PlannedTokens, surfacesOf } from '#labels/annotation';
import { endpointAddress, modelName, type RunnableModel } from '#labels/models';
import type { Store } from '#store';

/**
 * Returns the audit detail that names the vision endpoint and model which receive frames (`frames_to`, `frames_for`);
 * empty if no endpoint is set or `asks` is false, because then no frame leaves this machine.
 */
export const describeFrameRecipient = (
  { vision_endpoint: endpoint }: Pick<Store, 'vision_endpoint'>,
  asks: boolean,
): JsonObject =>
  asks && endpoint !== undefined ? { frames_to: endpointAddress(endpoint), frames_for: endpoint.model } : {};

/** The models in effect that can run on this machine, by model surface. */
export type RunnableModels = ReadonlyMap<ModelSurfaceId, RunnableModel>;

/**
 * Returns the cost in US dollars of the tokens that a layer uses at the vision endpoint; 0 if none of its models is
 * served by the endpoint.
 */
export function computeEndpointCost(
  prices: PriceList | undefined,
  models: RunnableModels,
  row: Pick<LayerRow, 'needs'>,
  tokens: PlannedTokens,
): number {
  const names = surfacesOf(row).flatMap((surface) => {
    const model = models.get(surface);
    return model?.served === undefined ? [] : [modelName(model)];
  });
  return names.length === 0 ? 0 : computeTokenCost(findModelTokenPrices(prices, names), tokens);
}
