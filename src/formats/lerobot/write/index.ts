/** Parts of the LeRobot writer that other modules use. */
export { PictureSamples, selectSampleRows } from './picture-samples.ts';
