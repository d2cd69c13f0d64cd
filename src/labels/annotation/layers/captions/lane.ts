import { significant } from '#core';
import { actorOf, happeningsOf } from '../../grammar/happenings.ts';
import { readObjects } from '../../grammar/known-objects.ts';
import { readSpans } from '../../grammar/known-spans.ts';
import { type Lane, type LaneContext, type LaneEpisode, type LaneOutput, mainPart } from '../../lane.ts';
import { micro } from '../../micro.ts';
import { findSegments } from '../segments/lane.ts';
import { askCaptions } from './ask-captions.ts';
import { type Composed, composeCaption, type Known } from './compose.ts';
import { type Window, windowsOf } from './windows.ts';

export const lane: Lane = { version: 1, requires: [], run: writeCaptions };

interface Caption extends Window, Composed {
  readonly frames_s?: readonly number[];
}

/**
 * A sentence for every window: by the vision endpoint where it is the model in effect, else composed from the task, the
 * spans of the layer `segments` (found anew where the episode does not carry them) and the objects that were seen. Nothing
 * is composed that none of them holds: a window of which nothing is known has an empty text.
 */
async function writeCaptions(
  episode: LaneEpisode,
  context: Pick<LaneContext, 'config' | 'frames' | 'output' | 'signal' | 'vision'>,
): Promise<LaneOutput> {
  const { config, output } = context;
  const { kind, episode: about } = episode.facts;
  const spans = readSpans((await output('segments')) ?? findSegments(episode, {}).artifact);
  const known: Known = {
    tasks: (about.tasks ?? []).map((text) => text.trim()).filter((text) => text !== ''),
    happenings: happeningsOf(spans, actorOf(kind.kind)),
    objects: readObjects(await output('object_labels')),
  };
  const windows = windowsOf(spans, Number(config.window_s));
  const vision = context.vision('captioning');
  const captions: readonly Caption[] =
    vision === null
      ? windows.map((window) => ({ ...window, ...composeCaption(window, known, Number(config.max_words)) }))
      : await askCaptions(windows, known, vision, context);
  const told = captions.filter(({ text }) => text !== '').length;
  const quality = coveredFraction(captions);
  return {
    parts: [
      {
        name: mainPart,
        media_type: 'application/json',
        json: artifactOf(captions, { by: vision?.model ?? 'assay/grammar', reason: spans.reason }),
      },
    ],
    says: captions.map(({ text }) => text).join(' '),
    counts: { windows: captions.length, texts: told },
    quality,
    quality_reason: quality === null ? 'the episode takes no time' : null,
  };
}

function artifactOf(
  captions: readonly Caption[],
  { by, reason }: { readonly by: string; readonly reason: string | null },
) {
  return {
    composed_by: by,
    reason: captions.some(({ text }) => text !== '')
      ? null
      : `no task text, no object and no motion: ${reason ?? 'nothing was observed'}`,
    schema: 'assay/captions/v1',
    windows: captions.map(({ evidence, frames_s, from_s, text, to_s }) => ({
      evidence: [...evidence],
      ...(frames_s !== undefined && { frames_s: frames_s.map(micro) }),
      from_s: micro(from_s),
      text,
      to_s: micro(to_s),
    })),
  };
}

/** Share of the time inside windows whose text is neither empty nor that of the window before. */
function coveredFraction(captions: readonly Caption[]): number | null {
  let total_s = 0;
  let covered_s = 0;
  for (const [at, { from_s, to_s, text }] of captions.entries()) {
    total_s += to_s - from_s;
    if (text !== '' && text !== captions[at - 1]?.text) covered_s += to_s - from_s;
  }
  return total_s > 0 ? significant(covered_s / total_s, 4) : null;
}
