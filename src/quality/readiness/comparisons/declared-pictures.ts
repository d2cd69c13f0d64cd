import type { Finding } from '#core/episode';
import { comparisonTitles } from '#core/titles';
import { type ComparisonRow, defineComparison } from '../comparison.ts';
import { formatEpisodeList } from './shared/comparison-rows.ts';

/**
 * Size such as `640x480`, declared size and codec, one per line, by camera; a fourth line `own` for pictures
 * that are not comparable with others.
 */
export type PictureRow = { readonly [camera: string]: string };

type Note = { readonly usual_size_px: { readonly [camera: string]: string } };

/** Codecs that browsers can play; AV1 is what LeRobot itself writes. */
const browserCodecs = new Set(['h264', 'vp8', 'vp9', 'av1', 'theora', 'mjpeg', 'png', 'webp', 'gif']);

export const declaredPictures = defineComparison<PictureRow>({
  id: 'declared_pictures',
  title: comparisonTitles.declared_pictures,
  about:
    'Compares the image size of each camera across episodes and with the declared size: an episode with a different size cannot be batched with the others; a declared size that no episode has is a dataset finding. Individually labelled images may differ in size; each is compared with the size that its labels declare. Video codecs that browsers cannot play are reported once.',
  judged_by: ['camera_coverage'],
  collect({ episode, cameras, kind }) {
    const row: Record<string, string> = {};
    for (const { id, frames, modality } of episode.streams) {
      const container = cameras.get(id)?.container;
      if (container == null || container.width_px === 0 || frames?.declared_size_px == null) continue;
      const size = `${container.width_px}x${container.height_px}`;
      const declared = frames.declared_size_px.join('x');
      if (kind === 'vision-asset') {
        if (size !== declared) row[id] = `${size}\n${declared}\n\nown`;
      } else row[id] = `${size}\n${declared}\n${modality === 'video' ? container.codec : ''}`;
    }
    return Object.keys(row).length === 0 ? null : row;
  },
  conclude(rows) {
    const findings: Finding[] = [];
    const notes = new Map<string, { usual_size_px: Record<string, string> }>();
    for (const [camera, all] of groupByCamera(rows)) {
      const looks = new Map([...all].filter(([{ isIndividual: own }]) => !own));
      const usual = findUsualSize(looks);
      for (const [look, episodes] of all) {
        const expected = look.isIndividual ? look.declared : usual;
        if (look.size === expected) continue;
        for (const episode of episodes) {
          const note = notes.get(episode) ?? { usual_size_px: {} };
          note.usual_size_px[camera] = expected;
          notes.set(episode, note);
        }
      }
      if (looks.size === 0) continue;
      findings.push(
        ...createSizeFindings(camera, looks, usual),
        ...createCodecFindings(camera, looks, rows.length),
      );
    }
    return { findings, notes: notes as ReadonlyMap<string, Note> };
  },
});

interface PictureLook {
  readonly size: string;
  readonly declared: string;
  readonly codec: string;
  /** `true` for an individually labelled picture, which has a size of its own. */
  readonly isIndividual: boolean;
}

/**
 * Groups episodes by camera and by the properties of their pictures; most datasets have one group per camera.
 */
function groupByCamera(rows: readonly ComparisonRow<PictureRow>[]): Map<string, Map<PictureLook, string[]>> {
  const cameras = new Map<string, Map<string, { look: PictureLook; episodes: string[] }>>();
  for (const { episode, row } of rows) {
    for (const [camera, text] of Object.entries(row)) {
      const looksByText = cameras.get(camera) ?? new Map<string, { look: PictureLook; episodes: string[] }>();
      cameras.set(camera, looksByText);
      const same = looksByText.get(text);
      if (same !== undefined) same.episodes.push(episode);
      else {
        const [size, declared, codec, own] = text.split('\n');
        looksByText.set(text, {
          look: { size, declared, codec, isIndividual: own === 'own' },
          episodes: [episode],
        });
      }
    }
  }
  return new Map(
    [...cameras].map(([camera, looksOfCamera]) => [
      camera,
      new Map([...looksOfCamera.values()].map(({ look, episodes }) => [look, episodes])),
    ]),
  );
}

/** Returns the declared size if any episode has it, else the most frequent size. */
function findUsualSize(looks: ReadonlyMap<PictureLook, readonly string[]>): string {
  const counts = new Map<string, number>();
  for (const [look, episodes] of looks) {
    if (look.size === look.declared) return look.size;
    counts.set(look.size, (counts.get(look.size) ?? 0) + episodes.length);
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0])[0];
}

function createSizeFindings(
  camera: string,
  looks: ReadonlyMap<PictureLook, readonly string[]>,
  usual: string,
): Finding[] {
  const declared = new Set([...looks.keys()].map((look) => look.declared));
  if (declared.has(usual)) return [];
  const [declaredSize] = declared;
  const turned = declaredSize.split('x').reverse().join('x') === usual;
  return [
    {
      code: turned ? 'picture_shape_turned' : 'picture_size_wrong',
      severity: 'error',
      path: null,
      message: turned
        ? `camera ${camera} is declared as ${declaredSize} px (width x height) but decodes to ${usual} px: width and height are swapped`
        : `camera ${camera} is declared as ${declaredSize} px (width x height) but decodes to ${usual} px`,
      advice: 'Correct the declared shape; policies take their input shape from it.',
      evidence: { camera, declared: declaredSize, found: usual },
    },
  ];
}

function createCodecFindings(
  camera: string,
  looks: ReadonlyMap<PictureLook, readonly string[]>,
  total: number,
): Finding[] {
  const unshown = new Map<string, string[]>();
  for (const [{ codec }, episodes] of looks) {
    if (codec === '' || browserCodecs.has(codec)) continue;
    unshown.set(codec, [...(unshown.get(codec) ?? []), ...episodes]);
  }
  return [...unshown].map(([codec, episodes]) => ({
    code: 'video_codec_unshown',
    severity: 'info',
    path: null,
    message: `camera ${camera} is encoded as ${codec} in ${episodes.length} of ${total} episodes${episodes.length === total ? '' : `: ${formatEpisodeList(episodes)}`}; training can decode it, but most browsers and the Hub's dataset viewer cannot play it`,
    advice: 'Encode as H.264 or AV1 to watch the videos in a browser; training does not need it.',
    evidence: { camera, codec, episodes: episodes.length },
  }));
}
