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
  needs: 'a recording with labels (COCO, YOLO)',
  kinds: ['vision-asset', 'egocentric', 'drive-log', 'aerial-flight', 'teleop'],
  formula: {
    combine: 'minimum of',
    aspects: [
      {
        what: 'any label',
        score: '0.4 if there is none, since the image may be a deliberate background image',
      },
      { what: 'share of boxes that extend outside the image or have no area', score: '1 − 5 · share' },
      { what: 'share of labels without a category', score: '1 − 5 · share' },
    ],
  },
  threshold: {
    value: 0.5,
    source: 'one wrong box in ten does a detector more harm than good (pycocotools drops none of them)',
  },
  weight: 1,
  flags: [
    {
      code: 'labels_missing',
      severity: 'warning',
      meaning: 'The image has no labels although its dataset does.',
      advice: 'Label the image, or keep it deliberately as a background image.',
    },
    {
      code: 'box_invalid',
      severity: 'warning',
      meaning: 'Boxes extend outside the image or have no area.',
      advice: 'Clip or delete these boxes; check that the labels belong to this image and its size.',
    },
    {
      code: 'label_unnamed',
      severity: 'warning',
      meaning: 'Labels use a category that the dataset does not define.',
      advice: 'Add the category to the label file, or correct the category id.',
    },
  ],
  calibrated_on: 'a published COCO hand dataset, with boxes moved and cut by known amounts',
  measure(subject) {
    const { labels } = subject.episode;
    if (labels === null) return { status: 'inapplicable', reason: 'the recording has no labels' };
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
        message: () => 'the image has no labels',
      },
      {
        flag: 'box_invalid',
        score: clamp(1 - 5 * wrong, 0, 1),
        observed: significant(wrong),
        message: () => `${outside} of ${boxes} boxes extend outside the image, ${empty} have no area`,
      },
      {
        flag: 'label_unnamed',
        score: clamp(1 - 5 * nameless, 0, 1),
        observed: significant(nameless),
        message: () => `${unnamed} of ${labels} labels have an undefined category`,
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
