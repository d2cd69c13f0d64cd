import { join, resolve } from 'node:path';
import { type AnnotationList, type AskedLayer, annotateInto, annotationsFile } from '#assess/annotate';
import { demandNoAddress } from '../../demand-no-address.ts';
import type { Io } from '../../io.ts';
import type { DataArguments, Launcher } from '../../launcher.ts';
import { renderAnnotations } from '../../tables/annotation-table.ts';
import { createProgressLine } from '../../tables/progress-line.ts';

interface FolderArguments extends DataArguments {
  readonly layers: readonly AskedLayer[];
  readonly out: string;
  /** Also review what was made. */
  readonly review: boolean;
  readonly episodes?: readonly string[];
  readonly workers?: number;
  readonly json?: boolean;
}

/** `assay annotate PATH`. Exit 1 where an episode failed, 4 where something could not be measured here. */
export async function annotateFolder(
  path: string,
  { layers, out, review, episodes, workers, json, ...data }: FolderArguments,
  io: Io,
  launcher: Pick<Launcher, 'modelPlace'>,
): Promise<number> {
  demandNoAddress(path, 'assay annotate');
  const models = await launcher.modelPlace(data);
  const progress = createProgressLine(io, path);
  const options = {
    ...{ layers, review, models },
    ...(episodes === undefined ? {} : { only: episodes }),
    ...(workers === undefined ? {} : { workers }),
  };
  const hooks = { signal: io.signal, onProgress: progress.show };
  const list = await annotateInto(resolve(out), path, options, hooks).finally(() => progress.end());
  const written = join(resolve(out), annotationsFile);
  await io.out(
    json === true
      ? `${JSON.stringify(list)}\n`
      : `${renderAnnotations(list, Math.min(io.columns, 160))}List: ${written}\n`,
  );
  return exitOf(list);
}

function exitOf({ layers, findings }: AnnotationList): number {
  if (findings.some(({ code }) => code === 'not_finished')) return 4;
  const hasFailed = layers.some(({ episodes }) => episodes.failed > 0);
  return hasFailed || findings.some(({ severity }) => severity === 'error') ? 1 : 0;
}
