import { significant } from '#kernel';
import type { LaneEpisode } from '../../lane.ts';
import { type SignalOutput, signalLane } from '../../signal-lane.ts';
import { factsJson, filledFraction } from './fact.ts';
import { motionFacts } from './motion-facts.ts';
import { recordingFacts } from './recording-facts.ts';

export const lane = signalLane(1, gatherFacts);

/** Facts to search and filter by. What cannot be told is null with the reason, never a guess. */
export function gatherFacts(episode: LaneEpisode): SignalOutput {
  const facts = { ...recordingFacts(episode.facts), ...motionFacts(episode) };
  const told = Object.values(facts).filter(({ status }) => status === 'told').length;
  const filled = filledFraction(facts);
  return {
    artifact: { facts: factsJson(facts), schema: 'assay/metadata/v1' },
    counts: { facts: told },
    quality: filled === null ? null : significant(filled, 4),
    quality_reason: filled === null ? 'no fact applies' : null,
  };
}
