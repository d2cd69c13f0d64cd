import { benchmarkResult, type SurfaceRow, visionModelWeights } from '../surface.ts';

/** Models for monocular depth. */
export const depthSurface: SurfaceRow = {
  id: 'depth',
  title: 'Monocular depth estimation',
  selectable: true,
  options: [
    {
      id: 'onnx-community/depth-anything-v2-small',
      title: 'Depth Anything V2 S (relative)',
      licence: 'Apache-2.0',
      runtime: 'onnx',
      weights: visionModelWeights('onnx-community/depth-anything-v2-small'),
      evidence: [
        benchmarkResult('DA-2K', 'accuracy', 95.3),
        benchmarkResult('KITTI', 'AbsRel', 0.078, { unit: 'ratio', source: 'secondary' }),
        benchmarkResult('NYU', 'AbsRel', 0.053, { unit: 'ratio', source: 'secondary' }),
      ],
    },
    {
      id: 'yvanyin/metric3dv2-vit-large',
      title: 'Metric3Dv2 ViT-L (metric)',
      licence: 'BSD-2-Clause',
      runtime: 'onnx',
      weights: visionModelWeights('onnx-community/metric3d-vit-large'),
      evidence: [
        benchmarkResult('NYU', 'δ1', 0.98, { unit: 'ratio' }),
        benchmarkResult('KITTI', 'δ1', 0.979, { unit: 'ratio' }),
      ],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'depth-anything/depth-anything-v2-large',
      title: 'Depth Anything V2 L',
      licence: 'CC-BY-NC-4.0',
      reason: 'non-commercial use only',
      evidence: [benchmarkResult('DA-2K', 'accuracy', 97.1)],
    },
    {
      id: 'depth-anything/depth-anything-v2-base',
      title: 'Depth Anything V2 B',
      licence: 'CC-BY-NC-4.0',
      reason: 'non-commercial use only',
      evidence: [benchmarkResult('DA-2K', 'accuracy', 97.0)],
    },
    {
      id: 'lpiccinelli/unidepth-v2',
      title: 'UniDepthV2',
      licence: 'CC-BY-NC',
      reason: 'non-commercial use only',
      evidence: [benchmarkResult('NYU', 'δ1', 98.8), benchmarkResult('KITTI', 'δ1', 98.9)],
    },
  ],
};
