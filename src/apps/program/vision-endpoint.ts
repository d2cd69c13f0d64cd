import { AssayError } from '#core';
import type { VisionEndpoint } from '#core/api';
import type { Environment } from './environment.ts';

/** The vision endpoint that the environment names; null: there is none. Throws `usage` where it names no model. */
export function visionEndpointOf(env: Environment): VisionEndpoint | null {
  const {
    ASSAY_VLM_URL: url,
    ASSAY_VLM_MODEL: model,
    ASSAY_VLM_KEY: key,
    ASSAY_VLM_TIMEOUT_S: silence_s,
  } = env;
  if (url === undefined) return null;
  const { username, password, search, hash } = new URL(url);
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    throw new AssayError('usage', 'ASSAY_VLM_URL holds more than an address', {
      advice: 'put the key into ASSAY_VLM_KEY; the address is written to the audit log',
    });
  if (model === undefined)
    throw new AssayError('usage', 'ASSAY_VLM_URL is set, and ASSAY_VLM_MODEL names no model', {
      advice: 'set ASSAY_VLM_MODEL to the name that the server knows its model by',
    });
  return { url: url.replace(/\/+$/, ''), api_key: key ?? null, model, silence_ms: silence_s * 1000 };
}
