export { type ChosenModel, chooseModel, type ModelWishes } from './choose-model.ts';
export { objectToModel } from './object-to-model.ts';
export type { Evidence, ModelOption, RejectedModel, SurfaceRow } from './surface.ts';
export { surfaceOf, surfaces } from './surface-registry.ts';
