import { canonicalJson } from '#core';
import { recordingFacts } from '../../layers/metadata/recording-facts.ts';
import { knownFacts, toldText } from '../known-facts.ts';
import { evidenceOf, type ReviewTest } from '../review-test.ts';

export const metadataMatchesRecording: ReviewTest = {
  id: 'metadata_matches_recording',
  layer: 'metadata',
  says: 'duration, kind, cameras, rates, sizes, tasks, robot and outcome are those that the receipt measured',
  run: (artifact, { facts }) => {
    const said = knownFacts.parse(artifact).facts;
    const measured = Object.entries(recordingFacts(facts));
    const known = measured.filter(([name]) => said[name] !== undefined);
    if (known.length === 0) return 'it has no fact of the recording';
    const faults = known
      .filter(([name, fact]) => canonicalJson(said[name]) !== canonicalJson(fact))
      .map(([name, fact]) => `${name} is ${toldText(said[name])}, and was measured as ${toldText(fact)}`);
    return evidenceOf(known.length, faults, 'run the layer metadata again: the recording was judged anew');
  },
};
