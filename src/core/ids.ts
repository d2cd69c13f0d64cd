import { createRequire } from 'node:module';
import type * as TypeId from 'typeid-js';

const require = createRequire(import.meta.url);

/** Prefixes of ids; each stands for one kind of object. */
export const idPrefixes = [
  'tnt',
  'usr',
  'tok',
  'ws',
  'prj',
  'src',
  'run',
  'ep',
  'ann',
  'job',
  'rcp',
  'pol',
  'rep',
  'slc',
  'cur',
  'exp',
  'thr',
  'sup',
  'aud',
  'rev',
  'upl',
  'req',
  'pln',
  'blb',
  'rsv',
  'chg',
  'edt',
  'fim',
  'fai',
  'whk',
  'sbs',
  'evt',
  'dlv',
] as const;
export type IdPrefix = (typeof idPrefixes)[number];

/** Creates an id: prefix, `_`, and a UUIDv7 in 26 characters of base32 (typeid), so that ids sort by creation time. */
export function newId(prefix: IdPrefix): string {
  // Loaded with the first id: measuring and judging make none.
  const { typeidUnboxed }: typeof TypeId = require('typeid-js');
  return typeidUnboxed(prefix);
}

/** Returns a pattern that matches ids with this prefix. */
export function idPattern(prefix: IdPrefix): RegExp {
  return new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`);
}
