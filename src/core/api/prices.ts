import { z } from 'zod';
import { jobLayerIds } from './annotation-layers.ts';

const usd = z.number().nonnegative().max(1e6);

/** Devices whose computing time is priced. */
export const computeDevices = ['cpu', 'gpu'] as const;
export type ComputeDevice = (typeof computeDevices)[number];

/** Kinds of work whose computing time is charged: a layer, the review of annotations, or a run. */
const pricedWork = [...jobLayerIds, 'readiness'] as const;

const devicesSchema = z.strictObject({ cpu: usd.optional(), gpu: usd.optional() });

/** Prices of a million tokens. */
const tokenPricesSchema = z.strictObject({
  prompt_usd_per_mtok: usd.default(0),
  completion_usd_per_mtok: usd.default(0),
});

/** Prices of computing time and of model tokens. */
export const priceListSchema = z
  .strictObject({
    /** Price of one second of compute time, unless a device or layer has its own price. */
    compute_usd_per_s: usd,
    /** Price of one second by device, unless the layer has its own price. */
    devices: devicesSchema,
    /** Price of one second by layer: on one device, or on any. */
    layers: z.partialRecord(z.enum(pricedWork), devicesSchema.extend({ compute_usd_per_s: usd.optional() })),
    /** Price of a million tokens, by model id. */
    models: z.record(z.string(), tokenPricesSchema),
    /** Price of a million tokens of a model that `models` does not name. */
    unlisted_models: tokenPricesSchema.optional(),
  })
  .meta({ id: 'PriceList' });
export type PriceList = z.output<typeof priceListSchema>;

/** Schema of a price file: prices that are left out default to `compute_usd_per_s`. */
export const priceFileSchema = priceListSchema.extend({
  compute_usd_per_s: usd.optional(),
  devices: devicesSchema.default({}),
  layers: priceListSchema.shape.layers.default({}),
  models: priceListSchema.shape.models.default({}),
});

/**
 * Creates a price list with one price per second of computing (0 on your own machines) and no other prices for
 * devices, layers or models.
 */
export const flatPrices = (compute_usd_per_s: number): PriceList => ({
  compute_usd_per_s,
  devices: {},
  layers: {},
  models: {},
});
