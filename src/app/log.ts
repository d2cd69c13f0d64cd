import { pino } from 'pino';
import type { Config } from './config.ts';

export type Log = ReturnType<typeof createLog>;

/** Structured lines on standard error, one JSON object each; secrets are cut out should they ever come near. */
export function createLog({ log_level }: Pick<Config, 'log_level'>) {
  return pino(
    {
      level: log_level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['token', '*.token', 'headers.authorization', '*.headers.authorization'],
    },
    pino.destination({ fd: 2, sync: true }),
  );
}
