import type { LanguageModel } from 'ai';
import type { CopilotProvider } from '#store';

/** A model of a provider, ready to be called. The libraries are loaded with the first. */
export async function openModel(provider: CopilotProvider, model: string): Promise<LanguageModel> {
  const { base_url: baseURL, api_key } = provider;
  const apiKey = api_key ?? undefined;
  if (provider.id === 'openrouter') {
    const { createOpenRouter } = await import('@openrouter/ai-sdk-provider');
    const router = createOpenRouter({
      baseURL,
      compatibility: 'strict',
      ...(apiKey === undefined ? {} : { apiKey }),
    });
    return router.chat(model, { usage: { include: true } });
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const server = createOpenAICompatible({
    ...{ name: provider.id, baseURL, includeUsage: true },
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  return server.chatModel(model);
}
