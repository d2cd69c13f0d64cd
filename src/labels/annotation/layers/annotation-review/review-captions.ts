import { z } from 'zod';
import { canonicalJson, type JsonObject, sha256 } from '#core';
import type { LaneFrame, VisionModel } from '../../lane.ts';
import { micro } from '../../micro.ts';
import type { SeenInFrames } from '../../review/review-episode.ts';
import { evidenceOf } from '../../review/review-test.ts';
import { framesOfStatement, type Judged, judgeStatements, spreadOver } from './judge-statements.ts';

const knownWindows = z.object({
  windows: z.array(z.object({ from_s: z.number(), to_s: z.number(), text: z.string() })),
});
type Window = z.infer<typeof knownWindows>['windows'][number];

/** Windows that say something, at most so many, evenly spread. */
export const windowsToJudge = (captions: JsonObject, most: number): readonly Window[] =>
  spreadOver(
    knownWindows.parse(captions).windows.filter(({ text }) => text.trim() !== ''),
    most,
  );

interface JudgedWindow extends Window, Judged {}

/** Whether the text of a window is what its frames show. */
export async function judgeWindow(
  vision: VisionModel,
  window: Window,
  frames: readonly LaneFrame[],
): Promise<JudgedWindow> {
  const [judged] = await judgeStatements(vision, spreadOver(frames, framesOfStatement), [window.text]);
  return { ...window, ...judged };
}

/** As certification reads it: of which captions, by which model, each window with its judgement. */
export const agreementOf = (
  captions: JsonObject,
  model: string,
  windows: readonly JudgedWindow[],
): JsonObject => ({
  captions_hash: sha256(canonicalJson(captions)),
  model,
  windows: windows.map(({ from_s, to_s, ...rest }) => ({
    from_s: micro(from_s),
    to_s: micro(to_s),
    ...rest,
  })),
});

/** The same as evidence on the layer. */
export function seenOfCaptions(windows: readonly JudgedWindow[]): SeenInFrames {
  const told = windows.filter(({ judged }) => judged !== 'unclear');
  if (told.length === 0) return { not_held: 'no window has frames that let its text be judged' };
  const faults = told
    .filter(({ judged }) => judged === 'mismatch')
    .map(({ from_s, text, note }) => `the window from ${from_s} s says “${text}”: ${note}`);
  return {
    evidence: evidenceOf(told.length, faults, 'run the layer captions again, or have a person write them'),
  };
}
