import { significant } from '#kernel';
import { actorOf } from '../../grammar/happenings.ts';
import { readObjects } from '../../grammar/known-objects.ts';
import { readSpans } from '../../grammar/known-spans.ts';
import { countWords } from '../../grammar/words.ts';
import { type Lane, type LaneContext, type LaneEpisode, type LaneOutput, mainPart } from '../../lane.ts';
import { findSegments } from '../segments/lane.ts';
import { chooseStatements, reaches } from './choose-statements.ts';
import { episodeStatements } from './episode-statements.ts';
import { objectStatements } from './object-statements.ts';
import { orderStatements } from './order-statements.ts';
import { spanStatements } from './span-statements.ts';
import { type Style, styleOf } from './style.ts';

export const lane: Lane = { version: 1, requires: [], run: describe };

/**
 * A long text of the whole episode, put together from statements that a measurement, the task or a detected object
 * supports, as many as the length that is asked for has room for. It is never filled up: where the recording supports no
 * more, it is shorter, and says so.
 */
async function describe(
  episode: LaneEpisode,
  { config, output }: Pick<LaneContext, 'config' | 'output'>,
): Promise<LaneOutput> {
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
  const statements = orderStatements(chooseStatements(known, target_words), style);
  const text = statements.map((statement) => statement.text).join(' ');
  const words = countWords(text);
  const json = {
    composed_by: 'assay/grammar',
    reason: reaches(words, target_words) ? null : 'the recording supports no more statements',
    schema: 'assay/dense-text/v1',
    statements: statements.map(({ evidence, text }) => ({ evidence, text })),
    style,
    target_words,
    text,
    words,
  };
  return {
    parts: [{ name: mainPart, media_type: 'application/json', json }],
    counts: { words, statements: statements.length },
    // Every statement is composed from its evidence.
    quality: statements.length > 0 ? significant(1, 4) : null,
    quality_reason: statements.length > 0 ? null : 'there is nothing to say of it',
  };
}
