import { join } from 'node:path';

/** Where weights lie, below the data folder. */
export const modelsFolder = 'models';

/** A model's weights, below the data folder: `models/<vendor>/<model>`. */
export const weightsFolder = (model: string): string => `${modelsFolder}/${model}`;

/** The same on this machine. */
export const weightsPath = (data_folder: string, model: string): string =>
  join(data_folder, modelsFolder, ...model.split('/'));

/** Where a model's files are while they are downloaded: on the same disk, so that they can be moved into place. */
export const pullingPath = (data_folder: string, model: string): string =>
  join(data_folder, modelsFolder, '.pulling', ...model.split('/'));

/** Beside the weights: what they were when somebody accepted them. */
export const pinsFile = '.assay-pins.json';
