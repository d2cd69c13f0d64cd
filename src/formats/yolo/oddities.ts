import { OddityCount, type OddityTable } from '../shared/pictures/oddity-count.ts';

/** What can be odd about lines of labels, named by file and line. Consequences: Ultralytics 8. */
const kinds = {
  line_malformed: [
    'error',
    'lines are no class and numbers; training drops the whole picture',
    'write a class and numbers, separated by blanks',
  ],
  class_malformed: [
    'error',
    'lines have a class that is no whole number from 0 on',
    'number the classes from 0',
  ],
  class_unknown: [
    'error',
    'lines name a class beyond those that are listed; training drops the whole picture',
    'complete names, or correct the class',
  ],
  coordinates_pixels: [
    'error',
    'lines hold coordinates far beyond 1: they look like pixels, and training drops the whole picture',
    'divide by width and height of the picture',
  ],
  coordinates_outside: [
    'error',
    'lines hold coordinates below 0 or above 1; beyond 1 % training drops the whole picture',
    'clip the labels to the picture',
  ],
  box_empty: ['warning', 'boxes have no area', 'drop them, or correct width and height'],
  polygon_odd: [
    'error',
    'outlines have an odd count of coordinates: a number is lost or too many',
    'write x and y for every corner',
  ],
  keypoints_other: [
    'error',
    'lines do not hold the key points that kpt_shape promises',
    'write a box and kpt_shape[0] points of kpt_shape[1] numbers, or correct kpt_shape',
  ],
  box_among_polygons: [
    'error',
    'lines of a box stand among outlines; training drops the whole picture',
    'write four corners in place of the box, or keep boxes and outlines apart',
  ],
  confidence: [
    'warning',
    'lines have a sixth number, as predictions have for confidence; training drops the whole picture',
    'leave the confidence out, and check that these are labels and not predictions',
  ],
  line_twice: ['warning', 'lines stand twice in their file; training drops the second', 'drop the copies'],
  file_too_large: [
    'error',
    'label files are too large to be labels and were not read',
    'check what they are',
  ],
  file_unreadable: ['error', 'label files could not be read', 'check that you may read them'],
  line_ends_crlf: ['info', 'label files end their lines with CR LF', 'nothing to do; they are read alike'],
} as const satisfies OddityTable<string>;

export type LabelOddity = keyof typeof kinds;

export class LabelOddities extends OddityCount<LabelOddity> {
  constructor() {
    super('yolo', kinds);
  }
}
