import type { JsonObject } from '#core';
import type { LayerId } from '#core/api';
import type { LaneFrame, VisionModel } from '../../lane.ts';
import type { SeenInFrames } from '../../review/review-episode.ts';
import { evidenceOf } from '../../review/review-test.ts';
import { judgeStatements, spreadOver } from './judge-statements.ts';
import { saidAt, saidOfAll } from './said-at.ts';

const mostStatements = 20;

/** What a layer says about sampled frames, held against them. */
export async function reviewStatements(
  vision: VisionModel,
  layer: LayerId,
  artifact: JsonObject,
  frames: readonly LaneFrame[],
): Promise<SeenInFrames> {
  const statements = [
    ...saidOfAll(layer, artifact),
    ...frames.flatMap(({ time_s }, at) => {
      const said = saidAt(layer, artifact, time_s);
      return said === null ? [] : [`Frame ${at + 1}: ${said}`];
    }),
  ];
  if (statements.length === 0) return { not_held: 'it says nothing of the sampled frames' };
  const own = spreadOver(statements, mostStatements);
  const judged = await judgeStatements(vision, frames, own);
  const told = judged.map((one, at) => ({ ...one, text: own[at] })).filter((one) => one.judged !== 'unclear');
  if (told.length === 0) return { not_held: 'the frames do not let it be judged' };
  const faults = told
    .filter((one) => one.judged === 'mismatch')
    .map(({ text, note }) => `“${text}”: ${note}`);
  return {
    evidence: evidenceOf(
      told.length,
      faults,
      `run the layer ${layer} again with another model or other knobs, or have a person look at it`,
    ),
  };
}
