import type { PictureContract } from '../contract.ts';
import { benchmarkResult, pinnedGraph, type SurfaceRow, visionModelWeights } from '../surface.ts';

/** Contract of Depth Anything: ImageNet normalisation, as in its `preprocessor_config.json`. */
const depthAnything: PictureContract = {
  form: 'depth',
  graphs: {},
  side_px: 518,
  mean: [123.675, 116.28, 103.53],
  deviation: [58.395, 57.12, 57.375],
  depth: { output: 'inverse', focal_px: null, multiple_px: 14 },
};

/** Contract of Metric3D exports, which normalise the input themselves and assume a focal length of 1000 px. */
const metric3d: PictureContract = {
  form: 'depth',
  graphs: {},
  side_px: 616,
  mean: [0, 0, 0],
  deviation: [1, 1, 1],
  depth: { output: 'canonical', focal_px: 1000, multiple_px: 28 },
};

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
      contract: depthAnything,
      weights: pinnedGraph(
        'onnx-community/depth-anything-v2-small',
        '4472b7362082ad9968fee890ca0f1e5aca36b93d',
        { sha256: 'afb6a5c28f3b6bf1618c6e43f02073ef9dfdc70e937502d51603e57b0a1df10c', bytes: 99_060_839 },
      ),
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
      contract: metric3d,
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

/** Models for optical flow. */
export const opticalFlowSurface: SurfaceRow = {
  id: 'optical_flow',
  title: 'Optical flow',
  selectable: true,
  options: [
    {
      id: 'opencv/farneback',
      title: 'Farnebäck',
      licence: 'Apache-2.0',
      runtime: 'algorithm',
      evidence: [],
      no_evidence:
        'no published result was found for the settings used here, and there is no labelled optical flow to measure it with',
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'princeton-vl/waft-dinov3',
      title: 'WAFT with a DINOv3 encoder',
      licence: 'DINOv3 licence',
      reason: 'its encoder is under the DINOv3 licence',
      evidence: [],
      no_evidence: 'no score was found in the README or paper of its authors',
    },
  ],
};

const authorsDetector = { note: 'with the authors’ detector' };

/** Algorithms for object tracking. */
export const tracking: SurfaceRow = {
  id: 'tracking',
  title: 'Object tracking',
  selectable: true,
  options: [
    {
      id: 'ifzhang/bytetrack',
      title: 'ByteTrack',
      licence: 'MIT',
      runtime: 'algorithm',
      evidence: [
        benchmarkResult('MOT17', 'HOTA', 63.1, authorsDetector),
        benchmarkResult('MOT17', 'MOTA', 80.3, authorsDetector),
      ],
    },
  ],
  by_use_case: {},
  rejected: [
    {
      id: 'facebook/cotracker3',
      title: 'CoTracker3',
      licence: 'CC-BY-NC',
      reason: 'non-commercial use only',
      evidence: [benchmarkResult('RoboTAP', 'not stated', 78.8)],
    },
  ],
};
