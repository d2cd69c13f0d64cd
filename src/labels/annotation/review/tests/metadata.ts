import { canonicalJson } from '#core';
import { formatFact, metadataArtifactSchema } from '../../artifact-schemas.ts';
import { recordingFacts } from '../../layers/metadata/facts.ts';
import { computeDetectedFacts, detectionLayers } from '../../layers/metadata/seen-facts.ts';
import { buildEvidence, type ReviewTest } from '../review-test.ts';

/** Tests that facts about the recording match the receipt. */
export const metadataMatchesRecording: ReviewTest = {
  id: 'metadata_matches_recording',
  layer: 'metadata',
  description: 'duration, kind, cameras, rates, sizes, tasks, robot and outcome match the receipt',
  run: (artifact, { facts }) => {
    const stored = metadataArtifactSchema.parse(artifact).facts;
    const measured = Object.entries(recordingFacts(facts));
    const comparable = measured.filter(([name]) => stored[name] !== undefined);
    if (comparable.length === 0) return 'it has no facts about the recording';
    const faults = comparable
      .filter(([name, fact]) => canonicalJson(stored[name]) !== canonicalJson(fact))
      .map(
        ([name, fact]) => `${name} is ${formatFact(stored[name])}, but the receipt has ${formatFact(fact)}`,
      );
    return buildEvidence(
      comparable.length,
      faults,
      'run the layer metadata again: the recording was re-evaluated',
    );
  },
};

/** Tests that facts about people, hands and place match the layers they come from. */
export const metadataMatchesLayers: ReviewTest = {
  id: 'metadata_matches_layers',
  layer: 'metadata',
  description: 'people, hands and environment match the other layers of the episode',
  run: (artifact, { artifacts }) => {
    if (detectionLayers.every((layer) => artifacts[layer] === undefined))
      return `the episode has none of the layers ${detectionLayers.join(', ')}`;
    const stored = metadataArtifactSchema.parse(artifact).facts;
    const comparable = Object.entries(computeDetectedFacts(artifacts)).filter(
      ([name, { status }]) => status === 'told' && stored[name] !== undefined,
    );
    if (comparable.length === 0) return 'the other layers have no facts to compare with';
    const faults = comparable
      .filter(([name, fact]) => canonicalJson(stored[name]) !== canonicalJson(fact))
      .map(
        ([name, fact]) =>
          `${name} is ${formatFact(stored[name])}, but the other layers have ${formatFact(fact)}`,
      );
    return buildEvidence(
      comparable.length,
      faults,
      'run the layer metadata again: other layers have changed since',
    );
  },
};
