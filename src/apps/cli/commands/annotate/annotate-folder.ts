import { join, resolve } from 'node:path';
import {
  type AnnotationList,
  type Annotations,
  type AskedLayer,
  annotateInto,
  annotationsFile,
} from '#engine/local/annotate';
import { demandNoAddress } from '../../demand-no-address.ts';
import type { Io } from '../../io.ts';
import type { DataArguments, Launcher } from '../../launcher.ts';
import { columns } from '../../tables/columns.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { count, grouped } from '../../words.ts';
import { wrap } from '../../wrap.ts';

interface FolderArguments extends DataArguments {
  readonly layers: readonly AskedLayer[];
  /** Absent: what is made is not kept. */
  readonly out?: string;
  readonly overlay?: string;
  readonly camera?: string;
  readonly episodes?: readonly string[];
  readonly workers?: number;
  readonly json?: boolean;
}

/** `assay annotate PATH`. Exit 1 where an episode failed, 4 where something could not be measured here. */
export async function annotateFolder(
  path: string,
  { layers, out, overlay, camera, episodes, workers, json, ...data }: FolderArguments,
  io: Io,
  launcher: Pick<Launcher, 'modelPlace'>,
): Promise<number> {
  demandNoAddress(path, 'assay annotate');
  const models = await launcher.modelPlace(data);
  const progress = createProgressLine(io, path);
  const options = {
    ...{ layers, models },
    ...(episodes === undefined ? {} : { only: episodes }),
    ...(workers === undefined ? {} : { workers }),
    ...(overlay === undefined
      ? {}
      : { overlay: { to: resolve(overlay), ...(camera === undefined ? {} : { camera }) } }),
  };
  const hooks = { signal: io.signal, onProgress: progress.show };
  const folder = out === undefined ? null : resolve(out);
  const made = await annotateInto(folder, path, options, hooks).finally(() => progress.end());
  await io.out(json === true ? `${jsonOf(made)}\n` : textOf(made, folder, Math.min(io.columns, 160)));
  return exitOf(made.list);
}

const jsonOf = ({ list, overlay }: Annotations): string =>
  JSON.stringify(overlay === null ? list : { ...list, overlay });

function textOf({ list, overlay }: Annotations, folder: string | null, columns: number): string {
  const written = folder === null ? '' : `List: ${join(folder, annotationsFile)}\n`;
  return `${renderAnnotations(list, columns)}${written}${overlay === null ? '' : drawnText(overlay)}`;
}

function drawnText(overlay: NonNullable<Annotations['overlay']>): string {
  const { path, camera, pictures, width_px, height_px } = overlay;
  return `Overlay: ${path} (${pictures} pictures of ${camera}, ${width_px}x${height_px})\n`;
}

function exitOf({ layers, findings }: AnnotationList): number {
  if (findings.some(({ code }) => code === 'not_finished')) return 4;
  const hasFailed = layers.some(({ episodes }) => episodes.failed > 0);
  return hasFailed || findings.some(({ severity }) => severity === 'error') ? 1 : 0;
}

/** Failures that are named one by one. */
const mostNamed = 10;

/** What was made of a folder: each layer with its episodes, then what failed and why. */
function renderAnnotations({ layers, episodes, findings }: AnnotationList, width: number): string {
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
