import { significant } from '#kernel';
import type { LaneEpisode, LaneOutput, LaneRow } from './lane.ts';
import { factsJson, filledFraction } from './metadata/fact.ts';
import { motionFacts } from './metadata/motion-facts.ts';
import { recordingFacts } from './metadata/recording-facts.ts';

/** Facts to search and filter by. What cannot be told is null with the reason, never a guess. */
export const metadata: LaneRow = { id: 'metadata', version: 1, annotate };

function annotate(episode: LaneEpisode): LaneOutput {
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
