import { clamp, significant } from '#core';
import { checkTitles } from '#core/titles';
import { type Aspect, defineCheck, type Subject } from '../check.ts';

type Values = {
  readonly labels: number;
  readonly boxes: number;
  /** Boxes that extend beyond the picture by more than a pixel. */
  readonly outside: number;
  /** Boxes without area. */
  readonly empty: number;
  /** Labels without a category. */
  readonly unnamed: number;
};

export const annotationCoverage = defineCheck<Values>({
  id: 'annotation_coverage',
  title: checkTitles.annotation_coverage,
  needs: 'a recording that carries labels (COCO, YOLO)',
  kinds: ['vision-asset', 'egocentric', 'drive-log', 'aerial-flight', 'teleop'],
  formula: {
    combine: 'least of',
    aspects: [
      { what: 'labelled at all', score: 'no label 0.4, since an empty picture may be meant' },
      { what: 'share of boxes outside the picture or without area', score: '1 − 5 · share' },
      { what: 'share of labels without category', score: '1 − 5 · share' },
    ],
  },
  threshold: {
    value: 0.5,
    source:
      'one wrong box in ten costs a detector more than it teaches (pycocotools drops none of them by itself)',
  },
  weight: 1,
  flags: [
    {
      code: 'labels_missing',
      severity: 'warning',
      meaning: 'The picture has no label although its set carries labels.',
      advice: 'Label it, or keep it as a background picture on purpose.',
    },
    {
      code: 'box_invalid',
      severity: 'warning',
      meaning: 'Boxes reach outside the picture or have no area.',
      advice: 'Clip or delete these boxes; check that the labels belong to this picture and its size.',
    },
    {
      code: 'label_unnamed',
      severity: 'warning',
      meaning: 'Labels name a category that the set does not define.',
      advice: 'Add the category to the label file, or correct its id.',
    },
  ],
  calibrated_on: 'a COCO hand set as published, with boxes moved and cut by known amounts',
  measure(subject) {
    const { labels } = subject.episode;
    if (labels === null) return { status: 'inapplicable', reason: 'the recording carries no labels' };
    const size = pictureSize(subject);
    const values = { boxes: 0, empty: 0, labels: labels.length, outside: 0, unnamed: 0 };
    for (const { box_px, category } of labels) {
      if (category.trim() === '') values.unnamed++;
      if (box_px === null) continue;
      values.boxes++;
      const [x, y, width, height] = box_px;
      if (!(width > 0 && height > 0)) values.empty++;
      else if (size !== null && (x < -1 || y < -1 || x + width > size[0] + 1 || y + height > size[1] + 1))
        values.outside++;
    }
    return { status: 'measured', values };
  },
  judge({ labels, boxes, outside, empty, unnamed }) {
    const wrong = boxes === 0 ? 0 : (outside + empty) / boxes;
    const nameless = labels === 0 ? 0 : unnamed / labels;
    const aspects: Aspect[] = [
      {
        flag: 'labels_missing',
        score: labels === 0 ? 0.4 : 1,
        observed: labels,
        message: () => 'the picture has no label',
      },
      {
        flag: 'box_invalid',
        score: clamp(1 - 5 * wrong, 0, 1),
        observed: significant(wrong),
        message: () => `of ${boxes} boxes ${outside} reach outside the picture and ${empty} have no area`,
      },
      {
        flag: 'label_unnamed',
        score: clamp(1 - 5 * nameless, 0, 1),
        observed: significant(nameless),
        message: () => `${unnamed} of ${labels} labels name no known category`,
      },
    ];
    return aspects;
  },
});

function pictureSize({ episode, cameras }: Subject): readonly [number, number] | null {
  for (const stream of episode.streams) {
    if (stream.frames === undefined) continue;
    const container = cameras.get(stream.id)?.container;
    if (container != null && container.width_px > 0) return [container.width_px, container.height_px];
    if (stream.frames.declared_size_px !== null) return stream.frames.declared_size_px;
  }
  return null;
}
