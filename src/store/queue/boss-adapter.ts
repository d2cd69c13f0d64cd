import type { Db } from 'pg-boss';
import type { Database } from '../database/database.ts';

const block = /^\s*BEGIN;([\s\S]*?)COMMIT;\s*$/;

/**
 * What pg-boss speaks to. Its statements join the transaction they are called in. Those it brackets itself in
 * `BEGIN; … COMMIT;` run as a transaction of `database`, so that one that fails does not leave its session in the middle.
 */
export function bossAdapter(database: Database): Db {
  return {
    executeSql: async (text, values) => {
      const inner = block.exec(text)?.[1];
      if (inner === undefined) return flat(await database.query(text, values ?? []));
      return database.transaction(async () => flat(await database.query(inner)));
    },
  };
}

/** Several statements at once answer with a list. */
function flat(answer: unknown): { rows: unknown[] } {
  const answers = (Array.isArray(answer) ? answer : [answer]) as { rows: unknown[] }[];
  return { rows: answers.flatMap(({ rows }) => rows) };
}
