import { canonicalJson } from '#core';
import { factsOfSeen, lookingLayers } from '../../layers/metadata/seen-facts.ts';
import { knownFacts, toldText } from '../known-facts.ts';
import { evidenceOf, type ReviewTest } from '../review-test.ts';

export const metadataMatchesLayers: ReviewTest = {
  id: 'metadata_matches_layers',
  layer: 'metadata',
  says: 'people, hands and place are those that the layers of the episode saw',
  run: (artifact, { artifacts }) => {
    if (lookingLayers.every((layer) => artifacts[layer] === undefined))
      return `the episode carries none of ${lookingLayers.join(', ')}`;
    const said = knownFacts.parse(artifact).facts;
    const known = Object.entries(factsOfSeen(artifacts)).filter(
      ([name, { status }]) => status === 'told' && said[name] !== undefined,
    );
    if (known.length === 0) return 'the layers tell nothing that metadata repeats';
    const faults = known
      .filter(([name, fact]) => canonicalJson(said[name]) !== canonicalJson(fact))
      .map(([name, fact]) => `${name} is ${toldText(said[name])}, and the layers saw ${toldText(fact)}`);
    return evidenceOf(known.length, faults, 'run the layer metadata again: other layers came after it');
  },
};
