import type { ModelOption } from '../surface.ts';

/** Whatever model the endpoint of this installation serves; a row of its own for each surface that may ask it. */
export const selfHostedVision: ModelOption = {
  id: 'self-hosted/vision',
  title: 'Vision model on a server of one’s own, such as Qwen3-VL (Apache-2.0)',
  licence: 'of the model that is served',
  runtime: 'endpoint',
  evidence: [],
};
