import { AssayError } from '#core';
import type { SigningCommand } from '#store';
import type { Environment } from './environment.ts';

/** A program that has not answered by then is ended. */
const timeout_ms = 30_000;

/** What signs bundles elsewhere; null: nothing is set. Throws `usage` where one of both variables is missing. */
export function signingCommandOf({
  ASSAY_SIGNING_COMMAND: command,
  ASSAY_SIGNING_PUBLIC_KEY: public_key,
}: Environment): SigningCommand | null {
  if (command === undefined && public_key === undefined) return null;
  const words = (command ?? '').split(/\s+/).filter((word) => word !== '');
  if (words.length > 0 && public_key !== undefined) return { command: words, public_key, timeout_ms };
  throw new AssayError('usage', 'ASSAY_SIGNING_COMMAND and ASSAY_SIGNING_PUBLIC_KEY are set together', {
    advice: 'set both, or none to sign with a key in the data folder',
  });
}
