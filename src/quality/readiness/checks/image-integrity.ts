import { clamp, significant } from '#core';
import { picturesSkippedReason } from '#core/episode';
import { checkTitles } from '#core/titles';
import { type Aspect, type ComparisonNotes, defineCheck, type Subject } from '../check.ts';
import { computePictureFacts, type Flaw, type PictureFacts } from '../pictures/picture-facts.ts';

type Values = { readonly duration_s: number; readonly cameras: readonly PictureFacts[] };

export const imageIntegrity = defineCheck<Values>({
  id: 'image_integrity',
  title: checkTitles.image_integrity,
  needs: 'decoded images',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'vision-asset'],
  formula: {
    combine: 'minimum over the cameras of',
    aspects: [
      { what: 'decodable', score: 'fully 1, partly 0.3, not at all 0' },
      { what: 'share b of black or blank frames', score: '1 − 8 · b' },
      {
        what: 'frozen time f: the image stays the same for 0.4 s or more although robot signals, or a jump afterwards, show that it should have changed; without signals also more than 2 s at the end',
        score: '1 − f / 0.8 s',
      },
      {
        what: 'share r of repeated frames (for encoded video, only during motion that its encoder cannot have discarded)',
        score: '1 − r / 0.25',
      },
      { what: 'share x of underexposed, overexposed or blurred frames', score: '1 − x' },
      { what: 'copy of another image', score: 'exact copy 0, near copy 0.4' },
    ],
  },
  threshold: {
    value: 0.5,
    source:
      'one frame in sixteen black, 0.4 s frozen, one frame in eight repeated, half of the frames underexposed, overexposed or blurred; real cameras that run at their declared rate repeat no frames',
  },
  weight: 2,
  flags: [
    {
      code: 'image_undecodable',
      severity: 'blocking',
      meaning: 'The images cannot be decoded.',
      advice:
        'Restore the file from its source; if the recorder stopped while writing it, repair the container.',
    },
    {
      code: 'image_partly_undecodable',
      severity: 'warning',
      meaning: 'Some frames cannot be decoded.',
      advice: 'Restore the file, or cut the episode before the damaged part.',
    },
    {
      code: 'camera_black',
      severity: 'blocking',
      meaning: 'Frames are black.',
      advice: 'Check whether the camera was covered, unplugged or badly exposed; leave the episode out.',
    },
    {
      code: 'camera_blank',
      severity: 'blocking',
      meaning: 'Frames show a single uniform colour.',
      advice: 'Check whether the driver delivered placeholder images; leave the episode out.',
    },
    {
      code: 'camera_frozen',
      severity: 'blocking',
      meaning: 'The image stops changing while the scene still changes.',
      advice: 'Cut the episode where the camera froze, or leave it out; check the cable and the driver.',
    },
    {
      code: 'camera_frozen_briefly',
      severity: 'warning',
      meaning: 'The image is frozen for no more than 3.3 % of the episode.',
      advice:
        'Cut out the frozen part, or accept the episode if nothing important happens in it; check the cable and the driver.',
    },
    {
      code: 'camera_frames_repeated',
      severity: 'warning',
      meaning: 'Frames repeat the previous frame: the camera delivers fewer frames than the recorded rate.',
      advice:
        'Record at the camera’s real frame rate, or drop the repeated frames and their rows before training.',
    },
    {
      code: 'slow_motion_discarded',
      severity: 'info',
      meaning: 'The compression is too strong to tell slow motion from repeated frames.',
      advice: 'Record at a higher bit rate (a lower CRF) if slow motion matters.',
    },
    {
      code: 'image_underexposed',
      severity: 'warning',
      meaning: 'Most of the image is nearly black.',
      advice: 'Add light or increase the exposure.',
    },
    {
      code: 'image_overexposed',
      severity: 'warning',
      meaning: 'Most of the image is overexposed.',
      advice: 'Reduce the exposure or the light.',
    },
    {
      code: 'image_blurred',
      severity: 'warning',
      meaning: 'The images have no fine detail: out of focus or motion blur.',
      advice: 'Focus the lens, or use a shorter exposure time.',
    },
    {
      code: 'image_duplicate',
      severity: 'warning',
      meaning: 'The image is a duplicate or near-duplicate of an earlier one.',
      advice: 'Keep only one of them, especially before splitting into training and test sets.',
    },
  ],
  calibrated_on:
    'real robot, driving, flight and hand images, with black, frozen, blurred and overexposed copies',
  measure(subject) {
    const cameras = subject.episode.streams.filter((stream) => stream.frames !== undefined);
    if (cameras.length === 0) return { status: 'inapplicable', reason: 'the episode has no camera' };
    const facts: PictureFacts[] = [];
    let missing = 0;
    for (const stream of cameras) {
      const evidence = subject.cameras.get(stream.id);
      if (stream.frames?.locator.type === 'missing' || evidence?.decodable === 'missing') missing++;
      else if (evidence !== undefined && evidence.decodable !== 'not_measured')
        facts.push(computePictureFacts(stream, evidence, subject));
    }
    if (facts.length > 0)
      return {
        status: 'measured',
        values: { cameras: facts, duration_s: significant(subject.episode.duration_s) },
      };
    return missing === cameras.length
      ? { status: 'not_assessable', reason: 'the images are missing (see the Camera coverage check)' }
      : { status: 'not_assessable', reason: undecodedReason(subject) };
  },
  judge({ duration_s, cameras }, notes) {
    const aspects: Aspect[] = [];
    for (const facts of cameras) {
      addDecodingAspect(facts, aspects);
      if (isPlaceholder(notes.placeholder_camera, facts)) continue;
      addFlawAspects(facts, aspects);
      addRepeatAspects(facts, duration_s, aspects);
    }
    const copy = notes.duplicate_episode;
    if (copy !== undefined && copy.of_pictures === true) aspects.push(createDuplicateAspect(copy));
    return aspects;
  },
});

const undecodedReason = ({ pictures }: Subject): string =>
  pictures === 'none' ? picturesSkippedReason : 'the images were not decoded';

/**
 * Returns `true` if the camera is empty in the whole dataset, which is a finding of the dataset and not of
 * this episode.
 */
function isPlaceholder(note: ComparisonNotes[string] | undefined, { camera }: PictureFacts): boolean {
  return Array.isArray(note?.cameras) && note.cameras.includes(camera);
}

function addDecodingAspect({ camera, decodable, reason }: PictureFacts, out: Aspect[]) {
  if (decodable === 'yes') return;
  out.push({
    flag: decodable === 'partial' ? 'image_partly_undecodable' : 'image_undecodable',
    score: decodable === 'partial' ? 0.3 : 0,
    observed: decodable === 'partial' ? 0.5 : 0,
    message: () => `${camera}: ${reason ?? 'the decoder returned no frame'}`,
  });
}

/** Per flaw: flag, loss of score per fraction of frames, and description. */
const flawRows = {
  black: ['camera_black', 8, 'black'],
  blank: ['camera_blank', 8, 'a single uniform colour'],
  dark: ['image_underexposed', 1, 'mostly black'],
  bright: ['image_overexposed', 1, 'mostly overexposed'],
  blurred: ['image_blurred', 1, 'blurred'],
} as const satisfies Record<Flaw, readonly [string, number, string]>;

function addFlawAspects({ camera, frames, flaws }: PictureFacts, out: Aspect[]) {
  for (const { flaw, share, spans } of flaws) {
    const [flag, slope, what] = flawRows[flaw];
    out.push({
      flag,
      score: clamp(1 - slope * share, 0, 1),
      observed: share,
      message: () =>
        frames === 1
          ? `${camera}: the image is ${what}`
          : `${camera}: ${(100 * share).toFixed(0)} % of ${frames} frames are ${what}`,
      marks: spans.map(([from_s, to_s]) => ({ stream: camera, from_s, to_s })),
    });
  }
}

/** Frozen time in seconds that halves the score. */
const frozenLimit_s = 0.4;
/** Fraction of an episode up to which a freeze is brief. */
const maxBriefFraction = 1 / 30;
/** Share of pairs within motion that an encoder discards at low quality. */
const minDiscardedShare = 0.125;

function addRepeatAspects({ camera, repeats, frozen }: PictureFacts, duration_s: number, out: Aspect[]) {
  if (repeats === null) return;
  const isBrief = frozen.seconds <= maxBriefFraction * duration_s;
  out.push({
    flag: isBrief ? 'camera_frozen_briefly' : 'camera_frozen',
    score: clamp(1 - frozen.seconds / (2 * frozenLimit_s), 0, 1),
    observed: frozen.seconds,
    message: () => `${camera} is frozen for ${frozen.seconds.toFixed(2)} s of ${duration_s.toFixed(2)} s`,
    marks: frozen.spans.map(([from_s, to_s]) => ({ stream: camera, from_s, to_s })),
  });
  const { pairs, equal, discarded, longest, every, one_in, new_rate_hz } = repeats;
  const discardedShare = discarded / Math.max(1, discarded + pairs);
  if (discardedShare > minDiscardedShare)
    out.push({
      flag: 'slow_motion_discarded',
      score: 0,
      observed: significant(discardedShare),
      message: () =>
        `${camera}: ${discarded} frames look like the previous one during slow motion; this may be the encoder or the camera`,
    });
  if (pairs === 0) return;
  const share = equal / pairs;
  const rhythm =
    every !== null && every > 1
      ? `every image appears ${every} times`
      : one_in === null
        ? 'at irregular intervals'
        : `one in ${one_in} frames`;
  const rate = new_rate_hz === null ? '' : `; new images arrive at about ${new_rate_hz} Hz`;
  out.push({
    flag: 'camera_frames_repeated',
    score: clamp(1 - share / 0.25, 0, 1),
    observed: significant(share),
    message: () =>
      `${camera}: ${equal} of ${pairs} compared frames repeat the previous frame (${(100 * share).toFixed(0)} %): ${rhythm}${rate}`,
    marks: longest.map(([from_s, to_s]) => ({ stream: camera, from_s, to_s })),
  });
}

function createDuplicateAspect(note: ComparisonNotes[string]): Aspect {
  const exact = note.exact === true;
  return {
    flag: 'image_duplicate',
    score: exact ? 0 : 0.4,
    observed: Number(note.alike),
    message: () =>
      `${exact ? 'exact copy' : note.turn === undefined ? 'near copy' : `${note.turn === 'turned' ? 'rotated' : String(note.turn)} copy`} of ${String(note.of)}`,
  };
}
