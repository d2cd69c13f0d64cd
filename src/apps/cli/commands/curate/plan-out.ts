import type { OutFile } from '../../files/write-new.ts';

/** Where `--out` puts a plan: an earlier plan is replaced, no other file. Null: nowhere. */
export function planOut(args: { readonly out?: string; readonly dryRun?: boolean }): OutFile | null {
  return args.out === undefined || args.dryRun === true ? null : { path: args.out, mayReplace: isPlan };
}

/** Its schema comes first in what is written. */
const isPlan = (head: string): boolean => /^\s*\{\s*"schema":\s*"assay\/curation-plan\/v1"/.test(head);
