import type { FormatReader } from '../shared/reader.ts';
import { mappingFiles, mappingKey } from './mapping-files.ts';

export const mappedReader: FormatReader = {
  id: 'mapped',
  title: 'CSV or Parquet with a mapping file',
  about:
    'Signal tables, one per episode or one with an episode column, with optional videos, described by a file assay.map.yaml (or .json) in their folder. The mapping assigns columns to streams with role and unit, and declares clocks, task, outcome and gripper convention. Nothing is guessed beyond the mapping. `assay map init PATH` proposes a mapping; docs/mapping.md describes each setting. A mapping file takes precedence over any other format in the folder.',
  scope: 'folder',
  async recognise(tree) {
    const path = mappingFiles.find((name) => tree.has(name));
    if (path === undefined) return null;
    const head = await tree.head(path, 64 * 1024);
    if (!mappingKey.test(new TextDecoder().decode(head))) return null;
    return { format: 'mapped', evidence: [`${path} is a signal mapping`], files: null };
  },
  open: async (tree, recognition) => (await import('./open.ts')).openMapped(tree, recognition),
};
