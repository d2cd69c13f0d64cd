import { AssayError } from '#core';
import { drop, type HttpClient, refused } from '../http-client.ts';

const mostBytes = 32 * 1024 * 1024;

export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A small document, whole; whatever its status. Throws `limit_exceeded`, `storage_unavailable`. */
export async function readPage(client: HttpClient, url: URL, accept: string): Promise<Page> {
  const answer = await client.ask(url, { headers: { accept } });
  const { response } = answer;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      answer.alive();
      client.traffic.add('fetched', chunk.length);
      bytes += chunk.length;
      parts.push(chunk);
      if (bytes > mostBytes)
        throw new AssayError('limit_exceeded', `${url.href} answers more than a listing would hold`, {
          advice: 'check the address: it must be a folder',
        });
    }
  } finally {
    await drop(answer);
  }
  const text = new TextDecoder().decode(Buffer.concat(parts));
  return { url: answer.url, status: response.status, headers: response.headers, text };
}

/** The same as JSON; throws what a refusal says. */
export async function readJson(client: HttpClient, url: URL): Promise<{ page: Page; json: unknown }> {
  const page = await again(() => readPage(client, url, 'application/json'));
  if (page.status !== 200)
    throw refused(page.url, page.status, page.headers.get('x-error-code'), client.knows(url));
  try {
    return { page, json: JSON.parse(page.text) };
  } catch (cause) {
    throw new AssayError('storage_unavailable', `${url.origin}${url.pathname} answers no JSON`, {
      advice: 'check the address and what stands between here and there',
      cause,
    });
  }
}

const bodyTries = 6;

/** A document whose body breaks off is asked for anew. */
export async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof AssayError || attempt === bodyTries) throw thrown;
    }
  }
}
