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
import { renderAnnotations } from '../../tables/annotation-table.ts';
import { createProgressLine } from '../../tables/progress-line.ts';

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
