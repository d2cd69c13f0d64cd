// Written by `npm run generate` from src/core/api. Change it there.
/** What `get_contract` answers. */
export type Contract = Readonly<Record<string, unknown>>;

export interface GetDocsFileInput {
  readonly file: 'reference.js' | 'start.js';
}
