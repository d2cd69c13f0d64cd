/** What others need of LeRobot sets beside whole exports. */
export { PictureSamples, sampledRows } from './statistics/picture-samples.ts';
