import { cocoAnswers } from '../coco/fix/plan-coco.ts';
import { mends } from '../lerobot/fix/mend/registry.ts';

/** Codes of the rules and findings that `assay fix` answers, by format; some only where what it needs is there. */
export const answered: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['lerobot', new Set<string>(mends.flatMap(({ answers }) => answers))],
  ['coco', new Set<string>(cocoAnswers)],
]);
