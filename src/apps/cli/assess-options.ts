import { AssayError } from '#core';
import type { Kind } from '#core/episode';
import type { AssessOptions } from '#engine/local';
import { describeLoaders, listUnknownLoaders } from '#formats/rules';
import { readSettings } from './read-settings.ts';

/** Options that `withWork` declares for every command that assesses recordings. */
export interface WorkArguments {
  readonly workers?: number;
  readonly settings?: string;
  readonly kind?: Kind;
  readonly limit?: number;
  /** Ids of the loaders that datasets are judged by, separated by commas. */
  readonly loader?: string;
  /** Folder of the measurement cache; `null` disables it. */
  readonly cache?: string | null;
}

/**
 * Turns command-line options into `AssessOptions`. Throws `invalid_settings` if the settings file is not JSON,
 * `not_found` if it cannot be read, `usage` for an unknown loader.
 */
export function assessOptionsOf({
  workers,
  settings,
  kind,
  limit,
  loader,
  cache,
}: WorkArguments): AssessOptions {
  return {
    ...(workers === undefined ? {} : { workers }),
    ...(settings === undefined ? {} : { settings: readSettings(settings) }),
    ...(kind === undefined ? {} : { kind }),
    ...(limit === undefined ? {} : { limit }),
    ...(loader === undefined ? {} : { loaders: parseLoaders(loader) }),
    ...(cache == null ? {} : { cacheFolder: cache }),
  };
}

/** Parses ids of loaders, separated by commas. Throws `usage` with all ids if one is unknown. */
export function parseLoaders(text: string): string[] {
  const ids = text.split(',').map((id) => id.trim());
  const unknown = listUnknownLoaders(ids);
  if (unknown.length === 0) return ids;
  throw new AssayError('usage', `unknown loader: ${unknown.join(', ')}`, {
    advice: `choose from ${describeLoaders()}`,
  });
}
