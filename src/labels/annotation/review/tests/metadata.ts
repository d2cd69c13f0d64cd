import { canonicalJson } from '#core';
import { formatFact, metadataArtifactSchema } from '../../artifact-schemas.ts';
import { recordingFacts } from '../../layers/metadata/facts.ts';
import { computeDetectedFacts, detectionLayers } from '../../layers/metadata/seen-facts.ts';
import { buildEvidence, type ReviewTest } from '../review-test.ts';

/** Tests that facts about the recording match the receipt. */
export const metadataMatchesRecording: ReviewTest = {
  id: 'metadata_matches_recording',
  layer: 'metadata',
  description:
    'duration, kind, cameras, rates, sizes, tasks, robot and outcome are those that the receipt measured',
  run: (artifact, { facts }) => {
    const stored = metadataArtifactSchema.parse(artifact).facts;
    const measured = Object.entries(recordingFacts(facts));
    const comparable = measured.filter(([name]) => stored[name] !== undefined);
    if (comparable.length === 0) return 'it has no fact of the recording';
    const faults = comparable
      .filter(([name, fact]) => canonicalJson(stored[name]) !== canonicalJson(fact))
      .map(
        ([name, fact]) => `${name} is ${formatFact(stored[name])}, and was measured as ${formatFact(fact)}`,
      );
    return buildEvidence(
      comparable.length,
      faults,
      'run the layer metadata again: the recording was judged anew',
    );
  },
};

/** Tests that facts about people, hands and place match the layers they come from. */
export const metadataMatchesLayers: ReviewTest = {
  id: 'metadata_matches_layers',
  layer: 'metadata',
  description: 'people, hands and place are those that the layers of the episode saw',
  run: (artifact, { artifacts }) => {
    if (detectionLayers.every((layer) => artifacts[layer] === undefined))
      return `the episode carries none of ${detectionLayers.join(', ')}`;
    const stored = metadataArtifactSchema.parse(artifact).facts;
    const comparable = Object.entries(computeDetectedFacts(artifacts)).filter(
      ([name, { status }]) => status === 'told' && stored[name] !== undefined,
    );
    if (comparable.length === 0) return 'the layers tell nothing that metadata repeats';
    const faults = comparable
      .filter(([name, fact]) => canonicalJson(stored[name]) !== canonicalJson(fact))
      .map(
        ([name, fact]) => `${name} is ${formatFact(stored[name])}, and the layers saw ${formatFact(fact)}`,
      );
    return buildEvidence(
      comparable.length,
      faults,
      'run the layer metadata again: other layers came after it',
    );
  },
};
