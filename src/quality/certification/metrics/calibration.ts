import { z } from 'zod';
import { significant } from '#core';
import { metricTitles } from '#core/titles';
import { type EpisodeObservation, type Metric, notAssessable } from '../metric.ts';
import { readCheck } from '../read-check.ts';

const driftValues = z.looseObject({
  state: z.string(),
  offset: z
    .looseObject({ dimension: z.number(), offset: z.number(), share: z.number(), usual: z.number() })
    .nullable(),
});
const driftNote = z.looseObject({ stream: z.string(), dimension: z.number(), share: z.number() });

export const calibrationDrift: Metric = {
  id: 'calibration.drift',
  title: metricTitles['calibration.drift'],
  unit: 'share of range',
  direction: 'lower_is_better',
  formula:
    'maximum over the joints of |mean(state) − mean(action)| / range, minus three times the median over the joints; or the offset of the joint from the other episodes divided by its usual range, if that is larger',
  inputs:
    'mean and range of each joint, measured by the Action–state agreement check, and offsets from the other episodes, found by the Joint offsets check',
  boundaries: {
    ideal: 0.09,
    review: 0.165,
    allowed_share: 0.05,
    source:
      'start and middle of the ramp of action_state_agreement; in clean Unitree G1 and Fourier GR1 episodes all joints sag by up to 0.11 of their range',
  },
  observe({ receipt }) {
    const read = readCheck(receipt, 'action_state_agreement', driftValues);
    if (read.status === 'absent') return notAssessable(read.reason);
    const { offset, state } = read.values;
    if (offset === null)
      return notAssessable('the action is not a position, so the state cannot be compared with it');
    const within = Math.max(0, offset.share - 3 * offset.usual);
    const across = driftNote.safeParse(read.notes.joint_offset);
    const other = across.success && across.data.share > within ? across.data : null;
    return {
      observed: significant(other?.share ?? within),
      confidence: 'high',
      inputs: {
        stream: other?.stream ?? state,
        dimension: other?.dimension ?? offset.dimension,
        offset: offset.offset,
        share: offset.share,
        usual: offset.usual,
      },
      provenance:
        other === null
          ? 'action_state_agreement'
          : 'the Action–state agreement check and the Joint offsets check',
    };
  },
  conclude: (all) => ({
    observations: all.map(({ observation }) => observation),
    diagnostics: constantOffsets(all),
  }),
};

/**
 * Describes joints that are furthest off in at least half of the episodes, always to one side: a wrong zero for the
 * whole set.
 */
function constantOffsets(all: readonly EpisodeObservation[]): string[] {
  const offsetsByJoint = new Map<string, number[]>();
  let applicable = 0;
  for (const { observation } of all) {
    if ('not_assessable' in observation) continue;
    applicable++;
    const { dimension, offset, stream } = observation.inputs;
    const key = `${String(stream)} dimension ${String(dimension)}`;
    const offsets = offsetsByJoint.get(key) ?? [];
    offsets.push(Number(offset));
    offsetsByJoint.set(key, offsets);
  }
  return [...offsetsByJoint].flatMap(([joint, offsets]) => {
    const oneSided = offsets.every((offset) => offset > 0) || offsets.every((offset) => offset < 0);
    if (!oneSided || offsets.length < 3 || 2 * offsets.length < applicable) return [];
    const middle = offsets.toSorted((a, b) => a - b)[offsets.length >> 1];
    return [
      `${joint} has the largest offset in ${offsets.length} of ${applicable} episodes, always in the same direction, median ${significant(middle, 3)}`,
    ];
  });
}

export const stereoReprojection: Metric = {
  id: 'stereo.reprojection',
  title: metricTitles['stereo.reprojection'],
  unit: 'px',
  direction: 'lower_is_better',
  formula:
    'root mean square distance between observed points and their reprojection with the declared calibration',
  inputs:
    'trusted correspondences between two cameras, or observations of a known target, contained in the source',
  boundaries: {
    ideal: 0.5,
    review: 1.5,
    allowed_share: 0.05,
    source:
      'calibration tools (OpenCV, Kalibr) reach 0.5 px; beyond 1.5 px the error exceeds that of stereo matching',
  },
  observe({ receipt }) {
    const cameras = receipt.streams.filter(({ role }) => role === 'camera').length;
    return notAssessable(
      cameras < 2
        ? 'fewer than two cameras'
        : 'the source contains no trusted correspondences or target observations; matches estimated from the images are not evidence of the calibration',
    );
  },
};
