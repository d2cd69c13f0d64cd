import { readFileSync } from 'node:fs';
import type { WebSettings } from '#engine/local';
import { readConfig } from './config.ts';

/**
 * Returns the settings for reading `hf://` and `https://` addresses, with the token of the environment or of `hf auth
 * login`.
 */
export function webSettings(): Omit<WebSettings, 'plain_http'> {
  const { token, token_file, ...web } = readConfig().web;
  return { ...web, token: token ?? readTokenFile(token_file) };
}

/** Reads the token file of `hf auth login`; `null` if it is missing or empty. */
function readTokenFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch {
    return null;
  }
}
