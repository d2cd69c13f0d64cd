import { AssayError } from '#core';
import type { CopilotProvider } from '#store';
import type { Environment } from './environment.ts';

/** Who may answer for the copilot, the one that does first. Throws `usage` where a provider has no model. */
export function copilotProvidersOf(env: Environment): readonly CopilotProvider[] {
  const silence_ms = env.ASSAY_COPILOT_TIMEOUT_S * 1000;
  const { ASSAY_OPENROUTER_KEY: key, ASSAY_COPILOT_URL: second } = env;
  const providers: CopilotProvider[] = [];
  if (key !== undefined)
    providers.push({
      ...{ id: 'openrouter', base_url: plain(env.ASSAY_OPENROUTER_URL), api_key: key, silence_ms },
      models: modelsIn('ASSAY_OPENROUTER_MODELS', env.ASSAY_OPENROUTER_MODELS),
    });
  if (second !== undefined)
    providers.push({
      ...{ id: 'compatible', base_url: plain(second), api_key: env.ASSAY_COPILOT_KEY ?? null, silence_ms },
      models: modelsIn('ASSAY_COPILOT_MODELS', env.ASSAY_COPILOT_MODELS ?? ''),
    });
  return providers;
}

const plain = (url: string): string => url.replace(/\/+$/, '');

function modelsIn(variable: string, named: string): CopilotProvider['models'] {
  const [first, ...others] = named.split(/[\s,]+/).filter((name) => name !== '');
  if (first !== undefined) return [first, ...others];
  throw new AssayError('usage', `${variable} names no model`, {
    advice: `set ${variable} to one or more names, separated by commas`,
  });
}
