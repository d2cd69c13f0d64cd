import { pino } from 'pino';
import type { Config } from './config.ts';

export type Log = ReturnType<typeof createLog>;

/** Lines that could not be written yet are kept up to here; further ones are lost. */
const kept_bytes = 1024 ** 2;

/**
 * Structured lines on standard error, one JSON object each; secrets are cut out should they ever come near. Where they
 * cannot be written, as on a full disk, the service goes on without.
 */
export function createLog({ log_level }: Pick<Config, 'log_level'>, fd = 2) {
  const lines = pino.destination({ fd, sync: true, maxLength: kept_bytes });
  lines.on('error', () => {});
  return pino(
    {
      level: log_level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['token', '*.token', 'headers.authorization', '*.headers.authorization'],
    },
    lines,
  );
}
