import type { Kind } from '#core/episode';
import type { AssessOptions } from '#engine/local';
import { readSettings } from './files/read-settings.ts';

/** What every command that assesses is given, as `withWork` declares it. */
export interface WorkArguments {
  readonly workers?: number;
  readonly settings?: string;
  readonly kind?: Kind;
  readonly limit?: number;
  /** Folder of what assess keeps; null: none. */
  readonly cache?: string | null;
}

/** Throws `invalid_settings`, `not_found` where the settings file cannot be read. */
export function assessOptionsOf({ workers, settings, kind, limit, cache }: WorkArguments): AssessOptions {
  return {
    ...(workers === undefined ? {} : { workers }),
    ...(settings === undefined ? {} : { settings: readSettings(settings) }),
    ...(kind === undefined ? {} : { kind }),
    ...(limit === undefined ? {} : { limit }),
    ...(cache == null ? {} : { cacheFolder: cache }),
  };
}
