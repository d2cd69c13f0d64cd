import {
  type Contract,
  type ContractRule,
  refusesRows,
  refusesSet,
  ruleFindings,
  trainsWorse,
} from '../shared/rule.ts';

const reader = 'Ultralytics';

const setRules = [
  {
    id: 'yolo_yaml_unreadable',
    holds: 'data.yaml is YAML.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Repair the file; until then classes are named by their numbers.',
  },
  {
    id: 'yolo_split_unnamed',
    holds: 'data.yaml has train, and val or validation.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Name the folder or list of pictures of both; a set without validation may name train twice.',
  },
  {
    id: 'yolo_split_absent',
    holds: 'What data.yaml names for train and val exists.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Correct the entry, or copy what it names into the set.',
  },
  {
    id: 'yolo_test_absent',
    holds: 'What data.yaml names for test exists; training does not need it.',
    on: 'dataset',
    consequences: { [reader]: trainsWorse },
    advice: 'Correct the entry, or copy what it names into the set.',
  },
  {
    id: 'yolo_class_count_differs',
    holds: 'nc is the number of names.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Correct nc, or leave it out.',
  },
  {
    id: 'yolo_names_with_gaps',
    holds: 'The keys of names count up from 0.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Number the classes from 0 without gaps, in names and in the labels.',
  },
] as const satisfies readonly ContractRule[];

/** Violations that make training leave out the whole picture, with a line in its log. */
const pictureRules = [
  {
    id: 'yolo_label_not_numbers',
    holds: 'A label file is UTF-8 text of numbers.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Write a class and numbers, separated by blanks.',
  },
  {
    id: 'yolo_label_columns',
    holds: 'Lines of boxes have five numbers: no confidence, and none missing.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice:
      'Write class, x, y, width and height only; a sixth number is usually the confidence of a prediction.',
  },
  {
    id: 'yolo_label_mixed',
    holds: 'A label file holds boxes or outlines, not both.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Write four corners instead of the box, or keep boxes and outlines in separate sets.',
  },
  {
    id: 'yolo_label_outline_odd',
    holds: 'Every corner of an outline has x and y.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Write x and y for every corner: a number is missing or one too many.',
  },
  {
    id: 'yolo_label_keypoints',
    holds: 'In a set of poses, every line has the key points of kpt_shape.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Write a box and kpt_shape[0] points of kpt_shape[1] numbers, or correct kpt_shape.',
  },
  {
    id: 'yolo_label_outside',
    holds: 'No coordinate of a box is above 1.01.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Divide by width and height of the picture, and clip the labels to it.',
  },
  {
    id: 'yolo_label_negative',
    holds: 'No number is below -0.01, and no width or height below 0.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Clip the labels to the picture, and number the classes from 0.',
  },
  {
    id: 'yolo_label_class_fraction',
    holds: 'Classes are whole numbers.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Number the classes from 0.',
  },
  {
    id: 'yolo_label_class_unknown',
    holds: 'Classes are below the number of names.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Complete names, or correct the class.',
  },
  {
    id: 'yolo_picture_small',
    holds: 'A picture is at least 10 pixels wide and high.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Drop the picture.',
  },
] as const satisfies readonly ContractRule[];

const rules = [...setRules, ...pictureRules];

/** Contract of Ultralytics: check_det_dataset and verify_image_label (labels were run through the latter). */
export const yoloContract: Contract = {
  format: 'yolo',
  title: 'YOLO labels',
  readers: [{ id: reader, release: '8.4.190' }],
  rules,
};

/** Creates the finding of a violated YOLO rule. */
export const yoloFinding = ruleFindings(rules, reader);
/** Id of a rule about a single picture. */
export type YoloLabelRule = (typeof pictureRules)[number]['id'];
