import type { OutFile } from '../../files/write-new.ts';

/**
 * Returns the target file of a plan; `null` without `--out` or with `--dry-run`. Only an earlier plan may be replaced.
 */
export function planOut(args: { readonly out?: string; readonly dryRun?: boolean }): OutFile | null {
  return args.out === undefined || args.dryRun === true ? null : { path: args.out, mayReplace: isPlan };
}

/** Tests whether a file begins like a plan file, whose first member is its schema. */
const isPlan = (head: string): boolean => /^\s*\{\s*"schema":\s*"assay\/curation-plan\/v1"/.test(head);
