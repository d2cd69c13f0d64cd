/**
 * The parts of drizzle used for queries and tables. Import them from here: Node reads and parses the 180 kB
 * package.json of the library for every file that imports it by name, which costs 0.3 s of CPU time at each start.
 */
export {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  lte,
  max,
  ne,
  not,
  notInArray,
  or,
  type SQL,
  sql,
  sum,
} from 'drizzle-orm';
export {
  bigint,
  bigserial,
  boolean,
  customType,
  doublePrecision,
  type ExtraConfigColumn,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
