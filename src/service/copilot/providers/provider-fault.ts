import { AssayError } from '#core';

/** What a provider did wrong, without what it wrote: that may hold keys, prompts or markup. */
export function providerFault(thrown: unknown, silence_ms: number): AssayError {
  if (thrown instanceof AssayError) return thrown;
  const status = statusOf(thrown);
  return new AssayError('provider_failed', wordsOf(thrown, status, silence_ms), {
    advice: status === 401 || status === 403 ? 'check the key of the provider' : 'ask again in a while',
    details: status === null ? {} : { status },
  });
}

function wordsOf(thrown: unknown, status: number | null, silence_ms: number): string {
  if (status === 401 || status === 403) return `the chat provider refuses the key (${status})`;
  if (status === 429) return 'the chat provider has too many requests (429)';
  if (status !== null && status >= 400) return `the chat provider answered ${status}`;
  if (nameOf(thrown) === 'TimeoutError') return `the chat provider said nothing for ${silence_ms} ms`;
  if (status !== null || unreadable.test(nameOf(thrown))) return 'the chat provider’s answer cannot be read';
  return 'the chat provider cannot be reached, or broke off';
}

/** Names of errors of the library where an answer is not what the protocol says. */
const unreadable = /JSONParse|TypeValidation|InvalidResponse/;
const nameOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.name : '');

/** Of an answer that came; wrapped errors tell it as well. */
function statusOf(thrown: unknown): number | null {
  if (typeof thrown !== 'object' || thrown === null) return null;
  if ('statusCode' in thrown && typeof thrown.statusCode === 'number') return thrown.statusCode;
  if ('lastError' in thrown) return statusOf(thrown.lastError);
  return 'cause' in thrown ? statusOf(thrown.cause) : null;
}
