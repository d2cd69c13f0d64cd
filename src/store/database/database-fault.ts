import { AssayError, messageOf } from '#core';

/** SQLSTATE classes and system codes that say the database is away (ENOENT: no socket) or full, not the statement wrong. */
const away = /^(08|53|57P0|58)|^(ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|ENOENT)/;
const gone =
  /terminated|not queryable|timeout exceeded when trying to connect|Connection ended|database is closed|thread ended/i;

/**
 * A lost connection, a full disk or a closed database as `database_unavailable`, which callers may try again; anything
 * else passes unchanged.
 */
export function databaseFault(thrown: unknown): unknown {
  // The query builder wraps what was told already.
  for (let at = thrown; at instanceof Error; at = at.cause) if (at instanceof AssayError) return at;
  const code = sqlState(thrown);
  if (!away.test(code ?? '') && !(code === null && gone.test(messageOf(thrown)))) return thrown;
  return new AssayError('database_unavailable', `the database does not answer: ${messageOf(thrown)}`, {
    advice: 'check that PostgreSQL runs, that the network reaches it and that its disk has room',
    cause: thrown,
  });
}

/** SQLSTATE (`23505`: unique violation) or the system's code of what a statement threw, drizzle's wrapping undone. */
export function sqlState(thrown: unknown): string | null {
  for (let at = thrown; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return null;
}
