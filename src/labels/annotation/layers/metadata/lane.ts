import { significant } from '#core';
import type { Lane, LaneEpisode } from '../../lane.ts';
import { oneJson, type SignalOutput } from '../../signal-output.ts';
import { type Facts, factsJson, filledFraction } from './fact.ts';
import { manoeuvreFacts } from './manoeuvre-facts.ts';
import { motionFacts } from './motion-facts.ts';
import { pictureFacts } from './picture-facts.ts';
import { recordingFacts } from './recording-facts.ts';
import { seenFacts } from './seen-facts.ts';

/** Facts of the recording, its numbers, its pictures, and of what other layers saw in them. */
export const lane: Lane = {
  version: 2,
  requires: [],
  run: async (episode, context) => {
    const pictures = await pictureFacts(episode, context);
    const seen = await seenFacts(episode, context);
    return oneJson(gatherFacts(episode, { ...pictures, ...seen }));
  },
};

/** Facts to search and filter by; `more`: those of pictures. What cannot be told is null with the reason, never a guess. */
export function gatherFacts(episode: LaneEpisode, more: Facts = {}): SignalOutput {
  const facts = {
    ...recordingFacts(episode.facts),
    ...motionFacts(episode),
    ...manoeuvreFacts(episode),
    ...more,
  };
  const told = Object.values(facts).filter(({ status }) => status === 'told').length;
  const filled = filledFraction(facts);
  return {
    artifact: { facts: factsJson(facts), schema: 'assay/metadata/v1' },
    counts: { facts: told },
    quality: filled === null ? null : significant(filled, 4),
    quality_reason: filled === null ? 'no fact applies' : null,
  };
}
