import type { AssessmentResult } from '#engine/local';
import { episodesText, issuesOf } from '#quality/report';
import { printableName } from '../printable.ts';
import { words } from '../words.ts';
import { wrap } from '../wrap.ts';
import type { Paint } from './paint.ts';
import type { TableOptions } from './table-options.ts';

/** Everything that is wrong with episodes once a dataset, with what to do about it, most frequent first. */
export function whatToDo(
  { verdicts, datasets }: AssessmentResult,
  { flags, columns }: TableOptions,
  paint: Paint,
): string[] {
  const advised = new Set<string>();
  const lines = issuesOf(verdicts, flags).flatMap((issue) => {
    const { code, severity, advice } = issue;
    const where = datasets.length > 1 ? `${printableName(datasets[issue.dataset].path)}, ` : '';
    const grave = severity === 'blocking' ? ', blocking' : '';
    const [first, ...rest] = wrap(
      `${words(code)}: ${where}${episodesText(issue)}${grave}`,
      columns - 2,
      '  ',
    );
    const head = [first.replace(words(code), paint('bold', words(code))), ...rest];
    if (advice === '' || advised.has(advice)) return head;
    advised.add(advice);
    return [...head, ...wrap(`→ ${advice}`, columns - 6, '    ')];
  });
  return lines.length === 0 ? [] : [paint('bold', 'What to do'), ...lines];
}
