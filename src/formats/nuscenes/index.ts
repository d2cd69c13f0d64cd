import type { FormatReader } from '../shared/reader.ts';

export const nuScenesReader: FormatReader = {
  id: 'nuscenes',
  title: 'nuScenes',
  about:
    'A folder with the tables of nuScenes (v1.0-mini, v1.0-trainval, …) beside samples/ and sweeps/; a scene is an episode. Tables are read record by record, whatever their size. Each camera, laser and radar keeps its own times; the pose of the car and the calibration of each sensor are kept with quaternions as w, x, y, z; boxes are counted a keyframe. Pictures and point clouds stay in their files. Tables of categories, attributes, visibility, instances and maps are not read.',
  scope: 'folder',
  recognise: async (tree) => (await import('./recognise.ts')).recogniseNuScenes(tree),
  open: async (tree, recognition) => (await import('./open.ts')).openNuScenes(tree, recognition),
};
