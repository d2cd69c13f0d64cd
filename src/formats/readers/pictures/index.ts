export { cocoReader } from './coco/index.ts';
export { picturesReader } from './folder/index.ts';
export { yoloReader } from './yolo/index.ts';
