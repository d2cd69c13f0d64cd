import {
  type Contract,
  type ContractRule,
  refusesRows,
  refusesSet,
  ruleFindings,
  trainsWorse,
} from '../shared/rule.ts';

const reader = 'ultralytics';

const setRules = [
  {
    id: 'yolo_yaml_unreadable',
    holds: 'data.yaml is valid YAML.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Repair the file; until then, classes are named by their numbers.',
  },
  {
    id: 'yolo_split_unnamed',
    holds: 'data.yaml has train, and val or validation.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Set the folder or image list of both; a dataset without validation may use train twice.',
  },
  {
    id: 'yolo_split_absent',
    holds: 'The train and val paths in data.yaml exist.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Correct the entry, or copy the missing folder or file into the dataset.',
  },
  {
    id: 'yolo_test_absent',
    holds: 'The test path in data.yaml exists; training does not need it.',
    on: 'dataset',
    consequences: { [reader]: trainsWorse },
    advice: 'Correct the entry, or copy the missing folder or file into the dataset.',
  },
  {
    id: 'yolo_class_count_differs',
    holds: 'nc equals the number of class names.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Correct nc, or remove it.',
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
    advice: 'Write a class and numbers, separated by spaces.',
  },
  {
    id: 'yolo_label_columns',
    holds: 'Lines of boxes have exactly five numbers, without a confidence.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice:
      'Write only class, x, y, width and height; a sixth number is usually the confidence of a prediction.',
  },
  {
    id: 'yolo_label_mixed',
    holds: 'A label file has boxes or polygons, not both.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Replace the box by its four corners, or keep boxes and polygons in separate datasets.',
  },
  {
    id: 'yolo_label_outline_odd',
    holds: 'Every polygon point has x and y.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Write x and y for every point: one number is missing or extra.',
  },
  {
    id: 'yolo_label_keypoints',
    holds: 'In a pose dataset, every line has the keypoints declared by kpt_shape.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Write a box and kpt_shape[0] points of kpt_shape[1] numbers, or correct kpt_shape.',
  },
  {
    id: 'yolo_label_outside',
    holds: 'No coordinate of a box is above 1.01.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Divide by the width and height of the image, and clip the labels to it.',
  },
  {
    id: 'yolo_label_negative',
    holds: 'No number is below -0.01, and no width or height below 0.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Clip the labels to the image, and number the classes from 0.',
  },
  {
    id: 'yolo_label_class_fraction',
    holds: 'Classes are integers.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Number the classes from 0.',
  },
  {
    id: 'yolo_label_class_unknown',
    holds: 'Class numbers are below the number of names.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Complete names, or correct the class.',
  },
  {
    id: 'yolo_picture_small',
    holds: 'An image is at least 10 pixels wide and high.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Remove the image.',
  },
] as const satisfies readonly ContractRule[];

const rules = [...setRules, ...pictureRules];

/** Contract of Ultralytics: check_det_dataset and verify_image_label (labels were run through the latter). */
export const yoloContract: Contract = {
  format: 'yolo',
  title: 'YOLO labels',
  readers: [{ id: reader, title: 'Ultralytics', release: '8.4.190' }],
  rules,
};

/** Creates the finding of a violated YOLO rule. */
export const yoloFinding = ruleFindings(rules, reader);
/** Id of a rule about a single picture. */
export type YoloLabelRule = (typeof pictureRules)[number]['id'];
