import type { OutFile } from '../../files/write-new.ts';

/** Where `--out` puts a plan: an earlier plan is replaced, no other file. Null: nowhere. */
export function planOut(args: { readonly out?: string; readonly dryRun?: boolean }): OutFile | null {
  return args.out === undefined || args.dryRun === true ? null : { path: args.out, mayReplace: isPlan };
}

function isPlan(text: string): boolean {
  try {
    return JSON.parse(text)?.schema === 'assay/curation-plan/v1';
  } catch {
    return false;
  }
}
