import { styleText } from 'node:util';
import type { Change, FixPlan, Recovered, Unfixed } from '#formats/fix';
import type { Io } from '../../io.ts';
import { count } from '../../words.ts';
import { wrap } from '../../wrap.ts';

/** What a killed process left and how it was ended; null where there was nothing. */
export function recoveredInWords(recovered: Recovered): string | null {
  return {
    nothing: null,
    not_begun: 'an earlier fix was stopped before it changed anything',
    apply_finished: 'an earlier fix was stopped half way; it is finished now',
    undo_finished: 'an earlier undo was stopped half way; it is finished now',
  }[recovered];
}

const mostOfFile = 40;

/** A plan as people read it: changes by file, what is left, and what to do next. */
export function fixInWords(
  { changes, unfixed, files, root }: FixPlan,
  done: 'planned' | 'applied' | 'copied',
  where: string | undefined,
  io: Pick<Io, 'columns' | 'colours'>,
): string {
  const bold = (text: string) => (io.colours ? styleText('bold', text, { validateStream: false }) : text);
  const lines: string[] = [];
  for (const [path, own] of Map.groupBy(changes, (change) => change.path))
    lines.push(bold(path), ...changeLines(own), '');
  if (unfixed.length > 0) lines.push(bold('Not fixed'), ...leftLines(unfixed, io.columns), '');
  const what = `${count(changes.length, 'change')} in ${count(files.length, 'file')}`;
  if (changes.length === 0 && done !== 'copied')
    lines.push(unfixed.length === 0 ? 'Nothing to fix.' : 'Nothing that can be fixed here.');
  else if (done === 'planned')
    lines.push(
      `${what}. Nothing was written.`,
      `Next: assay fix ${root} --apply`,
      '      or --out DIR for a copy',
    );
  else if (done === 'copied') lines.push(`${what}, in the copy ${where}`);
  else lines.push(`${what}. The originals lie in ${where}`, `To take it back: assay fix ${root} --undo`);
  return `${lines.join('\n')}\n`;
}

function changeLines(changes: readonly Change[]): string[] {
  const shown = changes.slice(0, mostOfFile).map(({ what, before, after, answers, episode }) => {
    const of = episode === null ? '' : `episode ${episode}: `;
    return `  ${of}${what}: ${before} → ${after}  (${answers[0]})`;
  });
  const more = changes.length - shown.length;
  return more > 0 ? [...shown, `  and ${more} more (--json lists them)`] : shown;
}

const mostOfCode = 3;

/** Of many that are alike, the first. */
function leftLines(unfixed: readonly Unfixed[], columns: number): string[] {
  return [...Map.groupBy(unfixed, ({ code }) => code)].flatMap(([code, own]) => {
    const more = own.length - mostOfCode;
    const shown = own.slice(0, mostOfCode).flatMap((one) => unfixedLines(one, columns));
    return more > 0 ? [...shown, `  and ${more} more of ${code} (--json lists them)`] : shown;
  });
}

function unfixedLines({ code, message, path, advice }: Unfixed, columns: number): string[] {
  const place = path === null || message.includes(path) ? '' : `${path}: `;
  return [
    ...wrap(`${place}${message} (${code})`, columns - 2, '  '),
    ...wrap(`→ ${advice}`, columns - 4, '    '),
  ];
}
