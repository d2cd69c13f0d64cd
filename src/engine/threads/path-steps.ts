import { programStamp } from '../cache/program-stamp.ts';
import type { Recordings } from '../open-recordings.ts';
import type { ExportHooks, ExportSetTask } from '../steps/export/export-request.ts';
import { type OpenedDatasets, toDatasetInfos } from '../steps/find-datasets.ts';
import type { PathRequest, StepAnswer } from './requests.ts';

/** Services for the steps of commands on a path. */
interface PathTools {
  readonly signal: AbortSignal;
  /** Finds and opens the datasets of recordings; they stay open until the thread is reset. */
  readonly find: (recordings: Recordings) => Promise<OpenedDatasets>;
  /** Reports that a step begins, such as reading a dataset. */
  readonly onStep: (step: string) => void;
  /** Reports progress, with the number of episodes completed. */
  readonly onProgress: (episodes: number) => void;
}

/**
 * Runs a request of a command on a path (find or inspect datasets, check, plan or write an export, write films, list an
 * address) and returns its answer.
 */
export async function answerAboutPath(request: PathRequest, tools: PathTools): Promise<StepAnswer> {
  const { signal, onProgress } = tools;
  switch (request.type) {
    case 'find': {
      const { recordings, cache_folder: folder } = request;
      const started_ms = Date.now();
      const cache = folder === undefined ? null : { folder, started_ms, program: programStamp() };
      return toDatasetInfos(await tools.find(recordings), cache);
    }
    case 'inspect': {
      const { inspectDatasets } = await import('../steps/inspect.ts');
      const { recordings, recipe } = request;
      const options = { signal, onStep: tools.onStep, ...(recipe === undefined ? {} : { recipe }) };
      return inspectDatasets(await tools.find(recordings), options);
    }
    case 'check-export': {
      const { checkExport } = await import('../steps/export/check-export.ts');
      checkExport(await findAll(request.sources, tools), request.check);
      return null;
    }
    case 'plan-export': {
      const { planExport } = await import('../steps/export/export-set.ts');
      const hooks = { signal, onProgress: () => onProgress(0) };
      return planExport(await findAll(request.sources, tools), request.set, hooks);
    }
    case 'write-export': {
      const { exportSet } = await import('../steps/export/export-set.ts');
      const hooks = { signal, onProgress, ...(await openAnnotations(request.set)) };
      return exportSet(await findAll(request.sources, tools), request.set, hooks);
    }
    case 'list-web': {
      const { listAddress } = await import('../steps/list-address.ts');
      return listAddress(request);
    }
    case 'write-films': {
      const { writeFilms } = await import('../steps/camera-films.ts');
      return writeFilms(await tools.find(request.recordings), request, { signal, onStep: onProgress });
    }
  }
}

async function findAll(sources: readonly Recordings[], { find }: PathTools): Promise<OpenedDatasets[]> {
  const all: OpenedDatasets[] = [];
  for (const recordings of sources) all.push(await find(recordings));
  return all;
}

/** Opens the folder from `assay annotate` whose annotations an export includes, if any. */
async function openAnnotations({
  annotations,
  format,
}: ExportSetTask): Promise<Pick<ExportHooks, 'annotations'>> {
  if (annotations === undefined) return {};
  const { AnnotationFolder } = await import('../steps/annotation-folder.ts');
  const { exportableLayers } = await import('../steps/exported-layers.ts');
  return { annotations: new AnnotationFolder(annotations).source(exportableLayers(format)) };
}
