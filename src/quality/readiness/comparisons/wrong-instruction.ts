import { significant } from '#core';
import type { Episode, Finding, Stream } from '#core/episode';
import type { Subject } from '../check.ts';
import { comparedStreams, groupBy, layoutOf, someOf } from '../comparing/compared-signals.ts';
import { defineComparison } from '../comparison.ts';
import { findForeignTexts } from '../language/foreign-texts.ts';
import { textFacts } from '../language/instruction-text.ts';
import type { ForeignText } from '../language/text-motions.ts';

/** The motion at equal steps of the episode's own time, dimension by dimension; then path lengths and duration. */
export type MotionRow = {
  readonly text: string;
  readonly layout: string;
  readonly motion: readonly number[];
};

/** A reader's findings that say the record holds only a part of its episode: which part of the task, nobody knows. */
const ofParts: ReadonlySet<string> = new Set(['is_last_missing']);
const mostDimensions = 16;
const mostNumbers = 24;

export const wrongInstruction = defineComparison<MotionRow>({
  id: 'wrong_instruction',
  title: 'Text that does not fit the motion',
  about:
    'Each text’s episodes have a median motion (state at up to eight equal steps of time, path lengths, duration). An episode that lies clearly nearer to another text’s motion than to its own, where these two texts are told apart by motion at least 80 % of the time, and within reach of that other text’s own episodes, or a rare text that shares no word with the common text whose motion it follows, is noted. Records that hold only a part of an episode are left out.',
  judged_by: ['language_quality'],
  collect(subject) {
    const text = textOf(subject.episode);
    if (text === null || subject.episode.findings.some(({ code }) => ofParts.has(code))) return null;
    const states = comparedStreams(subject, 'state');
    const streams = states.length > 0 ? states : comparedStreams(subject, 'action');
    if (streams.length === 0) return null;
    return { layout: layoutOf(streams), motion: motionOf(streams, subject), text };
  },
  conclude(rows) {
    const notes = new Map<string, ForeignText>();
    for (const group of groupBy(rows, (row) => row.layout).values()) {
      const found = findForeignTexts(group.map(({ row }) => row));
      for (const [i, note] of found) notes.set(group[i].episode, note);
    }
    const wrong = [...notes].filter(([, { rare }]) => !rare).map(([episode]) => episode);
    return { findings: wrong.length === 0 ? [] : [findingOf(wrong)], notes };
  },
});

/**
 * What the episode is called: its distinct texts together, since one may be told twice, by a topic and by a metadata
 * record. Blank texts and placeholders name no motion.
 */
function textOf({ tasks }: Episode): string | null {
  if (tasks === null) return null;
  const texts = new Set(tasks.map((task) => task.text.trim()).filter((text) => text !== ''));
  const said = [...texts].join(' | ');
  return said === '' || textFacts(said).placeholder ? null : said;
}

function motionOf(streams: readonly Stream[], { features, episode }: Subject): number[] {
  let dims = 0;
  for (const stream of streams) dims += stream.series!.dims;
  const taken = Math.min(dims, mostDimensions);
  const times = Math.max(2, Math.min(8, Math.floor(mostNumbers / taken)));
  const motion: number[] = [];
  let left = taken;
  for (const stream of streams) {
    const { values, dims: own } = stream.series!;
    const { columns, mean } = features.of(stream);
    const samples = Math.floor(values.length / own);
    for (let d = 0; d < own && left > 0; d++, left--) {
      for (let t = 0; t < times; t++) {
        const value = values[Math.round(((samples - 1) * t) / (times - 1)) * own + d];
        motion.push(significant(value - value === 0 ? value : mean[d], 4));
      }
      motion.push(significant(columns.step_mean[d] * samples, 3));
    }
  }
  motion.push(significant(episode.duration_s, 4));
  return motion;
}

function findingOf(episodes: readonly string[]): Finding {
  return {
    code: 'instruction_mismatch',
    severity: 'warning',
    path: null,
    message: `${episodes.length === 1 ? '1 episode moves' : `${episodes.length} episodes move`} as another text’s episodes do: ${someOf(episodes)}`,
    advice: 'Watch them and correct their texts.',
    evidence: { episodes: episodes.slice(0, 50) },
  };
}
