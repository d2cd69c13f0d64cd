import { type JsonObject, significant } from '#core';
import { actorOf } from '../../grammar/happenings.ts';
import { readObjects } from '../../grammar/known-objects.ts';
import { readSpans } from '../../grammar/known-spans.ts';
import { countWords } from '../../grammar/words.ts';
import { type Lane, type LaneContext, type LaneEpisode, type LaneOutput, mainPart } from '../../lane.ts';
import { micro } from '../../micro.ts';
import { findSegments } from '../segments/lane.ts';
import { askText } from './ask-text.ts';
import { chooseStatements, reaches } from './choose-statements.ts';
import { episodeStatements } from './episode-statements.ts';
import { objectStatements } from './object-statements.ts';
import { orderStatements } from './order-statements.ts';
import { spanStatements } from './span-statements.ts';
import type { Statement } from './statement.ts';
import { type Style, styleOf } from './style.ts';

export const lane: Lane = { version: 1, requires: [], run: describe };

/**
 * A long text of the whole episode: by the vision endpoint where it is the model in effect, else put together from
 * statements that a measurement, the task or a detected object supports, as many as the length that is asked for has room
 * for. That is never filled up: where the recording supports no more, it is shorter, and says so.
 */
async function describe(
  episode: LaneEpisode,
  context: Pick<LaneContext, 'config' | 'frames' | 'output' | 'vision'>,
): Promise<LaneOutput> {
  const { config, output } = context;
  const style: Style = styleOf(String(config.style));
  const target_words = Number(config.target_words);
  const actor = actorOf(episode.facts.kind.kind);
  const spans = readSpans((await output('segments')) ?? findSegments(episode, {}).artifact);
  const objects = readObjects(await output('object_labels'));
  const known = [
    ...episodeStatements(episode, actor),
    ...spanStatements(spans, actor, style),
    ...objectStatements(objects),
  ];
  const chosen = orderStatements(chooseStatements(known, target_words), style);
  const wishes = { style, target_words };
  const vision = context.vision('captioning');
  if (vision === null)
    return outputOf(wishes, chosen, {
      json: { composed_by: 'assay/grammar' },
      shorter: 'the recording supports no more statements',
      // Every statement is composed from its evidence.
      quality: chosen.length > 0 ? significant(1, 4) : null,
      quality_reason: chosen.length > 0 ? null : 'there is nothing to say of it',
    });
  const { statements, frames_s } = await askText(spans, chosen, wishes, vision, context);
  return outputOf(wishes, statements, {
    json: { composed_by: vision.model, frames_s: frames_s.map(micro) },
    shorter: 'the model wrote less than was asked for',
    quality: null,
    quality_reason:
      'what a model says of frames is not held against measurements here; annotation_review looks at it',
  });
}

interface About extends Pick<LaneOutput, 'quality' | 'quality_reason'> {
  readonly json: JsonObject;
  /** Why the text is shorter than was asked for, where it is. */
  readonly shorter: string;
}

function outputOf(
  { style, target_words }: { readonly style: Style; readonly target_words: number },
  statements: readonly Pick<Statement, 'evidence' | 'text'>[],
  { json: own, shorter, ...quality }: About,
): LaneOutput {
  const text = statements.map((statement) => statement.text).join(' ');
  const words = countWords(text);
  const json = {
    ...own,
    reason: reaches(words, target_words) ? null : shorter,
    schema: 'assay/dense-text/v1',
    statements: statements.map(({ evidence, text }) => ({ evidence, text })),
    style,
    target_words,
    text,
    words,
  };
  return {
    parts: [{ name: mainPart, media_type: 'application/json', json }],
    says: text,
    counts: { words, statements: statements.length },
    ...quality,
  };
}
