import { z } from 'zod';
import { canonicalJson } from '#core';
import { formatFact, metadataArtifactSchema, parseSegments } from '../artifact-schemas.ts';
import { recordingFacts } from '../layers/metadata/facts.ts';
import { computeDetectedFacts, detectionLayers } from '../layers/metadata/seen-facts.ts';
import { buildEvidence, type ReviewTest } from './review-test.ts';

/** Tolerance for timestamps, which artifacts round to microseconds. */
const rounding_s = 2e-6;

/** Tests that segments cover the observed time without gap or overlap. */
export const segmentsCoverEpisode: ReviewTest = {
  id: 'segments_cover_episode',
  layer: 'segments',
  description: 'segments cover the recorded time from start to end without gaps or overlaps',
  run: (artifact) => {
    const { from_s, to_s, reason, segments } = parseSegments(artifact);
    if (segments.length === 0) return reason ?? 'no segments';
    const faults: string[] = [];
    let until_s = from_s;
    for (const [at, segment] of segments.entries()) {
      if (segment.to_s <= segment.from_s) faults.push(`segment ${at} has no duration`);
      else if (segment.from_s > until_s + rounding_s)
        faults.push(`no segment covers ${until_s} s to ${segment.from_s} s`);
      else if (segment.from_s < until_s - rounding_s)
        faults.push(`segment ${at} starts at ${segment.from_s} s, before the previous segment ends`);
      until_s = segment.to_s;
    }
    if (Math.abs(until_s - to_s) > rounding_s)
      faults.push(`the last segment ends at ${until_s} s, not ${to_s} s`);
    return buildEvidence(segments.length, faults, 'run the layer segments again');
  },
};

const captionsSchema = z.object({
  windows: z.array(z.object({ from_s: z.number(), to_s: z.number(), text: z.string() })),
});

/** Tests that the caption changes in windows in which a gripper event starts. */
export const captionsFollowMotion: ReviewTest = {
  id: 'captions_follow_motion',
  layer: 'captions',
  description: 'the caption changes when a gripper opens or closes',
  run: (artifact, { artifacts }) => {
    if (artifacts.segments === undefined) return 'the episode has no segments to compare with';
    const { windows } = captionsSchema.parse(artifact);
    const events = parseSegments(artifacts.segments).segments.filter(({ kind }) =>
      kind.startsWith('gripper_'),
    );
    const faults: string[] = [];
    let checked = 0;
    for (const [at, { from_s, to_s, text }] of windows.entries()) {
      const event = events.find((one) => one.from_s >= from_s && one.from_s < to_s);
      if (event === undefined) continue;
      checked++;
      if (text === '' || text === windows[at - 1]?.text)
        faults.push(`the caption at ${from_s} s does not change for ${event.kind} at ${event.from_s} s`);
    }
    if (checked === 0) return 'no gripper events';
    return buildEvidence(checked, faults, 'run the layer captions again with a shorter window_s');
  },
};

const textSchema = z.object({ text: z.string() });

/** Returns the words of at least four letters, in lower case. */
const longWords = (text: string): string[] => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];

/** Tests that the text contains at least half of the words of each task. */
export const textNamesTask: ReviewTest = {
  id: 'text_names_task',
  layer: 'dense_text',
  description: 'the text contains at least half of the words of each task',
  run: (artifact, { facts }) => {
    const textWords = new Set(longWords(textSchema.parse(artifact).text));
    const tasks = (facts.episode.tasks ?? [])
      .map((task) => ({ task, words: longWords(task) }))
      .filter(({ words }) => words.length > 0);
    if (tasks.length === 0) return 'the episode has no task text';
    const faults = tasks
      .filter(({ words }) => 2 * words.filter((word) => textWords.has(word)).length < words.length)
      .map(({ task }) => `the text does not mention "${task}"`);
    return buildEvidence(
      tasks.length,
      faults,
      'run the layer dense_text again with more target_words, or write the text manually',
    );
  },
};

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
