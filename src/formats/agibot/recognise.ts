import type { SourceTree } from '#io/sources';
import { isHdf5 } from '../shared/hdf5-file.ts';
import type { Recognition } from '../shared/reader.ts';

/** Maximum number of candidate files that are probed before the folder is rejected. */
const maxProbedFiles = 8;
const headBytes = 4096;

/**
 * Recognises AgiBot World by an HDF5 file in proprio_stats/<task>/<episode>/, or a task_info file with its keys beside
 * observations/; `null` if neither is found among the first `maxProbedFiles` candidates.
 */
export async function recogniseAgibot(tree: SourceTree): Promise<Recognition | null> {
  let remaining = maxProbedFiles;
  for (const { path } of tree.files) {
    const isProprio = /^proprio_stats\/\d+\/\d+\/[^/]+\.h5$/.test(path);
    if (!isProprio && !/^task_info\/task_\d+\.json$/.test(path)) continue;
    const evidence = isProprio ? await proprioEvidence(tree, path) : await taskEvidence(tree, path);
    if (evidence !== null) return { format: 'agibot', evidence: [evidence], files: null };
    if (--remaining === 0) return null;
  }
  return null;
}

async function proprioEvidence(tree: SourceTree, path: string): Promise<string | null> {
  const isHdf5File = await isHdf5(tree, path).catch(() => false);
  return isHdf5File ? `${path} has the HDF5 signature and lies in folders named by task and episode` : null;
}

async function taskEvidence(tree: SourceTree, path: string): Promise<string | null> {
  if (!tree.files.some((file) => /^observations\/\d+\/(\d+\/|[^/]+\.tar)/.test(file.path))) return null;
  const head = new TextDecoder().decode(await tree.head(path, headBytes).catch(() => new Uint8Array()));
  const isList = head.includes('"episode_id"') && /"(task_name|label_info|init_scene_text)"/.test(head);
  return isList ? `${path} lists episodes, and observations/ contains some of them` : null;
}
