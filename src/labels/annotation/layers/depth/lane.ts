import { AssayError, significant } from '#core';
import { type Lane, mainPart } from '../../lane.ts';
import { estimatedDepth } from './estimated-depth.ts';
import { recordedDepth } from './recorded-depth.ts';

/** Depth as depth cameras recorded it; where there was none, as a model estimates it from the pictures. */
export const lane: Lane = {
  version: 2,
  requires: ['depth'],
  run: async (episode, context) => {
    const isRecorded = episode.facts.streams.some(({ role }) => role === 'depth');
    const depth = isRecorded
      ? { ...(await recordedDepth(episode, context)), model: null }
      : await estimatedDepth(episode, context);
    const { cameras, parts, maps, agreement, model } = depth;
    if (maps === 0) {
      const why = cameras.flatMap(({ unreadable, missing }) => unreadable ?? missing[0]?.reason ?? []);
      throw new AssayError('unreadable_input', `there is no depth map: ${why[0] ?? 'no camera has a frame'}`);
    }
    const source = isRecorded ? 'recorded' : 'model';
    const json = { cameras, model, schema: 'assay/depth/v1', source };
    return {
      parts: [{ name: mainPart, media_type: 'application/json', json }, ...parts],
      counts: { cameras: cameras.length, depth_maps: maps },
      quality: agreement === null ? null : significant(agreement, 4),
      quality_reason: agreement === null ? 'no camera has two frames of one size to compare' : null,
    };
  },
};
