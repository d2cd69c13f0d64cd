import { readFileSync } from 'node:fs';
import type { WebSettings } from '#engine/local';
import { readConfig } from './config.ts';

/** How recordings behind an address are read. */
export function webSettings(): Omit<WebSettings, 'plain_http'> {
  const { token, token_file, ...web } = readConfig().web;
  return { ...web, token: token ?? tokenIn(token_file) };
}

/** As `hf auth login` leaves it. */
function tokenIn(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch {
    return null;
  }
}
