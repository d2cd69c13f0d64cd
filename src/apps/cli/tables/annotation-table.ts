import type { AnnotationList } from '#engine/local/annotate';
import { count, grouped } from '../words.ts';
import { wrap } from '../wrap.ts';
import { columns } from './columns.ts';

/** Failures that are named one by one. */
const mostNamed = 10;

/** What was made of a folder: each layer with its episodes, then what failed and why. */
export function renderAnnotations({ layers, episodes, findings }: AnnotationList, width: number): string {
  const rows = layers.map(({ layer, model, episodes: { done, failed, inapplicable } }) => {
    return [layer, grouped(done), grouped(failed), grouped(inapplicable), model ?? ''];
  });
  const failures = episodes.flatMap(({ id, layers: told }) =>
    Object.entries(told).flatMap(([layer, one]) =>
      one.state === 'failed' ? [`${id}  ${layer}: ${one.error.message}`] : [],
    ),
  );
  const unread = findings.filter(({ severity }) => severity === 'error' || severity === 'blocking');
  return [
    `Annotated ${count(episodes.length, 'episode')}`,
    columns([['layer', 'done', 'failed', 'does not fit', 'model'], ...rows]).trimEnd(),
    ...named('Failed', failures, width),
    ...named('For review', reviewed(episodes), width),
    ...named(
      'Not read',
      unread.map(({ path, message }) => (path === null ? message : `${path}  ${message}`)),
      width,
    ),
    '',
  ].join('\n');
}

/** Episodes with a layer that needs work, worst first. */
function reviewed(episodes: AnnotationList['episodes']): string[] {
  const said = episodes.flatMap(({ id, review }) =>
    Object.entries(review?.verdicts ?? {}).map(([layer, verdict]) => ({
      verdict,
      line: `${id}  ${layer}: ${verdict.replace('_', ' ')}`,
    })),
  );
  return ['bad', 'needs_work'].flatMap((wanted) =>
    said.flatMap(({ verdict, line }) => (verdict === wanted ? [line] : [])),
  );
}

function named(title: string, lines: readonly string[], width: number): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - mostNamed;
  const shown = lines.slice(0, mostNamed).flatMap((line) => wrap(line, width, '  '));
  return ['', title, ...shown, ...(more > 0 ? [`  and ${grouped(more)} more`] : [])];
}
