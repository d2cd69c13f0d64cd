import type { Kind } from '#core/episode';
import type { AssessOptions } from '#engine/local';
import { readSettings } from './files/read-settings.ts';

/** Options that `withWork` declares for every command that assesses recordings. */
export interface WorkArguments {
  readonly workers?: number;
  readonly settings?: string;
  readonly kind?: Kind;
  readonly limit?: number;
  /** Folder of the measurement cache; `null` disables it. */
  readonly cache?: string | null;
}

/**
 * Turns command-line options into `AssessOptions`. Throws `invalid_settings` if the settings file is not JSON,
 * `not_found` if it cannot be read.
 */
export function assessOptionsOf({ workers, settings, kind, limit, cache }: WorkArguments): AssessOptions {
  return {
    ...(workers === undefined ? {} : { workers }),
    ...(settings === undefined ? {} : { settings: readSettings(settings) }),
    ...(kind === undefined ? {} : { kind }),
    ...(limit === undefined ? {} : { limit }),
    ...(cache == null ? {} : { cacheFolder: cache }),
  };
}
