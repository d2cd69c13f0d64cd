import type { FormatReader } from '../shared/reader.ts';

export const nuScenesReader: FormatReader = {
  id: 'nuscenes',
  title: 'nuScenes',
  about:
    'A folder with nuScenes tables (v1.0-mini, v1.0-trainval, …) next to samples/ and sweeps/. Each scene is one episode. Tables are streamed, so their size does not matter. Each camera, lidar and radar keeps its own timestamps; the ego pose and the calibration of each sensor are kept with quaternions as w, x, y, z; boxes are counted per keyframe. Images and point clouds stay in their files. The tables of categories, attributes, visibility, instances and maps are not read into episodes.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseNuScenes(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openNuScenes(tree, recognition),
};
