import { readFileSync } from 'node:fs';
import type { WebSettings } from '#engine/local';
import { type Config, readConfig } from './config.ts';

/**
 * Returns the settings for reading `hf://` and `https://` addresses, with the token of the environment or of `hf auth
 * login`.
 */
export function webSettings(): Omit<WebSettings, 'plain_http'> {
  const { token: _, token_file: __, ...web } = readConfig().web;
  return { ...web, token: hubToken(readConfig().web) };
}

/** Returns the hub token of the environment, else that of `hf auth login`; `null` if there is none. */
export const hubToken = ({ token, token_file }: Config['web']): string | null =>
  token ?? readTokenFile(token_file);

/** Reads the token file of `hf auth login`; `null` if it is missing or empty. */
function readTokenFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch {
    return null;
  }
}
