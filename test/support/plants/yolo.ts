import type { PlantedFormat } from './plant.ts';
import { greyPng } from './png.ts';

const yaml = 'path: .\ntrain: images/train\nval: images/val\nnames:\n  0: cat\n  1: dog\n';
const box = '0 0.5 0.5 0.2 0.4\n';

/** Two pictures; the second has these labels. */
const set = (labels: string | Uint8Array, config = yaml, picture = greyPng(64, 48)) => ({
  'data.yaml': config,
  'images/train/a.png': greyPng(64, 48),
  'labels/train/a.txt': box,
  'images/val/b.png': picture,
  'labels/val/b.txt': labels,
});
const of = (rule: string, labels: string | Uint8Array) => ({ rule, episode: 1, files: set(labels) });
const ofSet = (rule: string, config: string) => ({ rule, episode: null, files: set(box, config) });
const posed = (labels: string) => {
  const config = `${yaml}kpt_shape: [2, 3]\n`;
  const whole = '0 0.5 0.5 0.2 0.4 0.4 0.4 2 0.6 0.6 1\n';
  return { ...set(labels, config), 'labels/train/a.txt': whole };
};

export const yoloPlants: PlantedFormat = {
  title: 'YOLO labels',
  // At the bounds: 1 % beyond the picture, blank lines, CR LF, an outline of its own file, a copied line.
  sound: set(`\ufeff1 1.01 0.5 0.2 0.4\r\n\n0 -0.01 0.5 0.2 0.4\n${box}${box}`),
  plants: [
    ofSet('yolo_yaml_unreadable', 'names: [a\nb: {'),
    ofSet('yolo_split_unnamed', 'train: images/train\nnames: [cat, dog]\n'),
    ofSet('yolo_split_absent', yaml.replace('images/val', 'pictures/other')),
    ofSet('yolo_test_absent', `${yaml}test: pictures/test\n`),
    ofSet('yolo_class_count_differs', `${yaml}nc: 3\n`),
    ofSet('yolo_names_with_gaps', yaml.replace('1: dog', '2: dog')),
    of('yolo_label_not_numbers', '0 0.5 0.5 0.2 high\n'),
    of('yolo_label_not_numbers', Buffer.from([0x30, 0x20, 0xff, 0xfe])),
    of('yolo_label_columns', '0 0.5 0.5 0.2 0.4 0.9\n'),
    of('yolo_label_columns', `${box}0 0.5 0.5 0.2\n`),
    of('yolo_label_mixed', `${box}0 0.1 0.1 0.4 0.1 0.4 0.4\n`),
    of('yolo_label_outline_odd', '0 0.1 0.1 0.4 0.1 0.4 0.4 0.3\n'),
    of('yolo_label_outside', '0 1.02 0.5 0.2 0.4\n'),
    of('yolo_label_outside', '0 320 240 64 48\n'),
    of('yolo_label_outside', '0 0.9 0.1 1.3 0.1 1.3 0.4\n'),
    of('yolo_label_negative', '0 -0.02 0.5 0.2 0.4\n'),
    of('yolo_label_negative', '-1 0.5 0.5 0.2 0.4\n'),
    of('yolo_label_negative', '0 0.5 0.5 -0.005 0.4\n'),
    of('yolo_label_class_fraction', '0.5 0.5 0.5 0.2 0.4\n'),
    of('yolo_label_class_unknown', '2 0.5 0.5 0.2 0.4\n'),
    {
      rule: 'yolo_label_keypoints',
      episode: 1,
      files: posed('0 0.5 0.5 0.2 0.4 0.4 0.4 2\n'),
    },
    { rule: 'yolo_picture_small', episode: 1, files: set(box, yaml, greyPng(64, 9)) },
  ],
};
