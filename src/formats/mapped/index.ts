import type { FormatReader } from '../shared/reader.ts';
import { mappingFiles, mappingKey } from './mapping-files.ts';

export const mappedReader: FormatReader = {
  id: 'mapped',
  title: 'CSV or Parquet with a mapping file',
  about:
    'Tables of signals, one an episode or one with an episode column, beside videos, described by a file assay.map.yaml (or .json) in their folder: which columns are which stream, with role, unit, clock, task, outcome and gripper convention. Nothing is guessed that the mapping does not say. `assay map init PATH` proposes one; docs/mapping.md has each setting. The mapping wins over any other format of the folder.',
  scope: 'folder',
  async recognise(tree) {
    const path = mappingFiles.find((name) => tree.has(name));
    if (path === undefined) return null;
    const head = await tree.head(path, 64 * 1024);
    if (!mappingKey.test(new TextDecoder().decode(head))) return null;
    return { format: 'mapped', evidence: [`${path} is a mapping of signals`], files: null };
  },
  open: async (tree, recognition) => (await import('./open.ts')).openMapped(tree, recognition),
};
