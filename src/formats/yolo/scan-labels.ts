import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { LabelOddities } from './oddities.ts';
import { type LabelContext, parseLabels } from './parse-labels.ts';

/** A million lines of outlines stay below this. */
export const mostLabelBytes = 64 * 1024 * 1024;
const ahead = 16;

/** Checks every label file of a set, and keeps counts and examples of what is odd. */
export async function scanLabels(
  tree: SourceTree,
  files: readonly string[],
  context: LabelContext,
): Promise<Finding[]> {
  const oddities = new LabelOddities();
  const kinds = { boxes: 0, outlines: 0 };
  let next = 0;
  const pending = new Map<number, Promise<string | Error>>();
  const start = () => {
    if (next < files.length) pending.set(next, textOf(tree, files[next++]));
  };
  for (let i = 0; i < ahead; i++) start();
  for (let i = 0; i < files.length; i++) {
    const text = await pending.get(i)!;
    pending.delete(i);
    start();
    if (text instanceof Error) {
      oddities.add(text instanceof RangeError ? 'file_too_large' : 'file_unreadable', files[i]);
      continue;
    }
    const { boxes, outlines } = parseLabels(text, context, (kind, line) =>
      oddities.add(kind, kind === 'line_ends_crlf' ? files[i] : `${files[i]}:${line}`),
    );
    if (boxes > 0 && outlines === 0) kinds.boxes++;
    if (outlines > 0) kinds.outlines++;
  }
  return [...oddities.findings(null), ...mixedFinding(kinds)];
}

/** Never throws: one bad file of thousands is counted. */
async function textOf(tree: SourceTree, path: string): Promise<string | Error> {
  if ((tree.entry(path)?.bytes ?? 0) > mostLabelBytes) return new RangeError(path);
  return tree.text(path, mostLabelBytes).catch(() => new Error(path));
}

function mixedFinding({ boxes, outlines }: { boxes: number; outlines: number }): Finding[] {
  if (boxes === 0 || outlines === 0) return [];
  return [
    {
      code: 'yolo_labels_mixed',
      severity: 'warning',
      path: null,
      message: `${boxes} label files hold boxes and ${outlines} outlines; training for segmentation drops all outlines of such a set`,
      advice: 'keep two sets, one of boxes and one of outlines',
      evidence: { box_files: boxes, outline_files: outlines },
    },
  ];
}
