import type { ModelSurfaceId, PriceList } from '#core/api';
import { tokenPricesFor } from '#engine';
import { tokensCost } from '#engine/budget';
import type { LayerRow, PlannedTokens } from '#labels/annotation';
import { modelName, type RunnableModel } from '#labels/models';

/** The models in effect that can be run here, by surface. */
export type ModelsHere = ReadonlyMap<ModelSurfaceId, RunnableModel>;

/** US dollars for tokens that a layer takes of the vision endpoint; 0 where it asks none. */
export function tokensUsd(
  prices: PriceList | undefined,
  models: ModelsHere,
  { needs }: Pick<LayerRow, 'needs'>,
  tokens: PlannedTokens,
): number {
  const names = needs.surfaces.flatMap((surface) => {
    const model = models.get(surface);
    return model?.served === undefined ? [] : [modelName(model)];
  });
  return names.length === 0 ? 0 : tokensCost(tokenPricesFor(prices, names), tokens);
}
