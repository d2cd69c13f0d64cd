import { join, resolve } from 'node:path';
import {
  type AnnotationList,
  type Annotations,
  annotateInto,
  annotationsFile,
  type RequestedLayer,
} from '#engine/local/annotate';
import type { Io } from '../../io.ts';
import type { DataArguments, Launcher } from '../../launcher.ts';
import { requireLocalPath } from '../../require-local-path.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { columns, count, grouped, wrap } from '../../text.ts';

interface FolderArguments extends DataArguments {
  readonly layers: readonly RequestedLayer[];
  /** Folder for the annotation artifacts. If absent, artifacts are discarded after the run. */
  readonly out?: string;
  readonly overlay?: string;
  readonly camera?: string;
  readonly episodes?: readonly string[];
  readonly workers?: number;
  readonly json?: boolean;
}

/**
 * Runs `assay annotate PATH`. Returns 1 if an episode failed, 4 if something could not be measured on this machine,
 * else 0.
 */
export async function annotateFolder(
  path: string,
  { layers, out, overlay, camera, episodes, workers, json, ...data }: FolderArguments,
  io: Io,
  launcher: Pick<Launcher, 'modelPlace'>,
): Promise<number> {
  requireLocalPath(path, 'assay annotate');
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
  const written = folder === null ? '' : `Written: ${join(folder, annotationsFile)}\n`;
  return `${renderAnnotations(list, columns)}${written}${overlay === null ? '' : overlayText(overlay)}`;
}

function overlayText(overlay: NonNullable<Annotations['overlay']>): string {
  const { path, camera, pictures, width_px, height_px } = overlay;
  return `Overlay: ${path} (${pictures} frames of ${camera}, ${width_px}x${height_px})\n`;
}

function exitOf({ layers, findings }: AnnotationList): number {
  if (findings.some(({ code }) => code === 'not_finished')) return 4;
  const hasFailed = layers.some(({ episodes }) => episodes.failed > 0);
  return hasFailed || findings.some(({ severity }) => severity === 'error') ? 1 : 0;
}

/** Maximum number of lines listed under each heading. */
const maxListedLines = 10;

/**
 * Renders the outcome of annotating a folder: episode counts for each layer, then failures, reviews and unreadable
 * files.
 */
function renderAnnotations({ layers, episodes, findings }: AnnotationList, width: number): string {
  const rows = layers.map(({ layer, model, episodes: { done, not_produced, failed, inapplicable } }) => {
    const counts = [done, not_produced, failed, inapplicable].map(grouped);
    return [layer, ...counts, model ?? ''];
  });
  const failures = episodes.flatMap(({ id, layers: told }) =>
    Object.entries(told).flatMap(([layer, one]) =>
      one.state === 'failed' ? [`${id}  ${layer}: ${one.error.message}`] : [],
    ),
  );
  const unread = findings.filter(({ severity }) => severity === 'error' || severity === 'blocking');
  return [
    `Annotated ${count(episodes.length, 'episode')}`,
    columns([['layer', 'done', 'not produced', 'failed', 'not applicable', 'model'], ...rows]).trimEnd(),
    ...listSection('Failed', failures, width),
    ...listSection('Needs review', reviewLines(episodes), width),
    ...listSection(
      'Unreadable',
      unread.map(({ path, message }) => (path === null ? message : `${path}  ${message}`)),
      width,
    ),
    '',
  ].join('\n');
}

/** Returns a line for each layer that its review graded `bad` or `needs_work`, `bad` first. */
function reviewLines(episodes: AnnotationList['episodes']): string[] {
  const reviews = episodes.flatMap(({ id, review }) =>
    Object.entries(review?.verdicts ?? {}).map(([layer, verdict]) => ({
      verdict,
      line: `${id}  ${layer}: ${verdict.replace('_', ' ')}`,
    })),
  );
  return ['bad', 'needs_work'].flatMap((grade) =>
    reviews.flatMap(({ verdict, line }) => (verdict === grade ? [line] : [])),
  );
}

function listSection(title: string, lines: readonly string[], width: number): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - maxListedLines;
  const visibleLines = lines.slice(0, maxListedLines).flatMap((line) => wrap(line, width, '  '));
  return ['', title, ...visibleLines, ...(more > 0 ? [`  and ${grouped(more)} more`] : [])];
}
