export { type ChosenModel, chooseModel, type ModelWishes } from './choose-model.ts';
export { findOption, findRejected, modelOptions } from './find-option.ts';
export { installedState } from './installed-state.ts';
export { objectToModel } from './object-to-model.ts';
export type {
  Evidence,
  ModelOption,
  Pin,
  RejectedModel,
  SurfaceRow,
  WeightFile,
  WeightSource,
} from './surface.ts';
export { surfaceOf, surfaces } from './surface-registry.ts';
