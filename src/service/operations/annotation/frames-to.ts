import type { JsonObject } from '#core';
import { endpointAddress } from '#labels/models';
import type { Store } from '#store';

/** Where work sends frames, for the audit log; empty where `asks` is false: they stay here. */
export const framesTo = (
  { vision_endpoint: endpoint }: Pick<Store, 'vision_endpoint'>,
  asks: boolean,
): JsonObject =>
  asks && endpoint !== undefined ? { frames_to: endpointAddress(endpoint), frames_for: endpoint.model } : {};
