import { layerTitles } from '#core/titles';
import { parseSegments } from '../artifact-schemas.ts';
import { type Lane, mainPart, roundToMicroseconds } from '../lane.ts';
import { allModes, type LayerRow, noMotionReason } from '../layer.ts';
import { findSegments } from './segments/layer.ts';

/** Time ranges in which nothing moves, from the segments of the episode. */
const lane: Lane = {
  version: 1,
  run: async (episode, { output }) => {
    const { segments, reason } = parseSegments(
      (await output('segments')) ?? findSegments(episode, {}).artifact,
    );
    const pauses = segments
      .filter(({ kind }) => kind === 'still')
      .map(({ from_s, to_s }) => ({ from_s: roundToMicroseconds(from_s), to_s: roundToMicroseconds(to_s) }));
    const json = { pauses, reason, schema: 'assay/pauses/v1' };
    return {
      parts: [{ name: mainPart, media_type: 'application/json', json }],
      counts: { pauses: pauses.length },
      quality: null,
      quality_reason: 'pauses have no measure of quality of their own',
    };
  },
};

/** The pauses layer. */
export const pauses: LayerRow = {
  id: 'pauses',
  title: layerTitles.pauses,
  produces: 'time ranges in which nothing moves',
  needs: { signals: true, frames: null, layers: ['segments'], models: [] },
  unfit: { 'vision-asset': noMotionReason },
  quality: { signal: 'none', how: 'not measured' },
  exports: [],
  modes: allModes,
  fallback: 'off',
  not_served: null,
  knobs: {},
  planned_compute_s: () => 0.01,
  lane,
};
