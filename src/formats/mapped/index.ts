import type { FormatReader } from '../shared/reader.ts';
import { findMappingFile } from './mapping-files.ts';

export const mappedReader: FormatReader = {
  id: 'mapped',
  title: 'Own layouts with a mapping',
  about:
    'Signals of any layout in CSV, Parquet, HDF5, zarr, NPZ, NPY, JSON or pickles, described by a file assay.map.yaml (or .json) in their folder: one table, file, folder of arrays or of one file per step, or group of an HDF5 or NPZ file or of a zarr per episode, or one table with an episode column, with cameras in videos, image files or arrays. The mapping assigns columns and arrays to streams with role and unit, and declares clocks, rate, task, outcome and gripper convention. Nothing is guessed beyond the mapping. `assay map init PATH` proposes a mapping; docs/mapping.md describes each setting. A mapping file takes precedence over any other format in the folder. Pickles are parsed without executing anything. Recordings of Unitree xr_teleoperate (JSON with image files), GELLO (a pickle per step), RoboMIND and EgoDex (HDF5) have a built-in mapping and need no file.',
  scope: 'folder',
  async recognise(tree) {
    const path = await findMappingFile(tree);
    if (path !== null) return { format: 'mapped', evidence: [`${path} is a signal mapping`], files: null };
    const preset = await (await import('./presets/index.ts')).matchPreset(tree);
    return preset && { format: 'mapped', evidence: [`${preset.evidence}; built-in mapping`], files: null };
  },
  open: async (tree, recognition) => (await import('./open.ts')).openMapped(tree, recognition),
};
