import { z } from 'zod';
import { jobLayerIds } from './annotation-layers.ts';

const usd = z.number().nonnegative().max(1e6);

/** Where a second of computing is spent. */
export const computeDevices = ['cpu', 'gpu'] as const;
export type ComputeDevice = (typeof computeDevices)[number];

/** What computing is charged as: a layer, the review of layers, or what runs do by themselves. */
const pricedWork = [...jobLayerIds, 'readiness'] as const;

const devicesSchema = z.strictObject({ cpu: usd.optional(), gpu: usd.optional() });

/** What computing and the tokens of models cost. */
export const priceListSchema = z
  .strictObject({
    /** A second of computing, where nothing below says otherwise. */
    compute_usd_per_s: usd,
    /** A second on a device, where the layer does not say otherwise. */
    devices: devicesSchema,
    /** A second of a layer: on one device, or on any. */
    layers: z.partialRecord(z.enum(pricedWork), devicesSchema.extend({ compute_usd_per_s: usd.optional() })),
    /** A million tokens, by model id. */
    models: z.record(
      z.string(),
      z.strictObject({
        prompt_usd_per_mtok: usd.default(0),
        completion_usd_per_mtok: usd.default(0),
      }),
    ),
  })
  .meta({ id: 'PriceList' });
export type PriceList = z.output<typeof priceListSchema>;

/** As a person writes it: whatever is left out costs what `compute_usd_per_s` says. */
export const writtenPricesSchema = priceListSchema.extend({
  compute_usd_per_s: usd.optional(),
  devices: devicesSchema.default({}),
  layers: priceListSchema.shape.layers.default({}),
  models: priceListSchema.shape.models.default({}),
});

/** A list that knows one price: that of a second of computing; 0 on machines of one's own. */
export const flatPrices = (compute_usd_per_s: number): PriceList => ({
  compute_usd_per_s,
  devices: {},
  layers: {},
  models: {},
});
