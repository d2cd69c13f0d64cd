export type { JpegPicture, VisionQuestion, VisionUsage } from './ask-endpoint.ts';
export { askEndpoint } from './ask-endpoint.ts';
export {
  type ChosenModel,
  chooseModel,
  collectModelChoices,
  type ModelChoices,
  readTenantModels,
} from './choose-model.ts';
export type { ModelContract, Tensor, TensorSpec, Tensors, TensorType } from './contract.ts';
export { endpointAddress } from './endpoint-fault.ts';
export type { ModelSession } from './host/model-client.ts';
export { ModelClient } from './host/model-client.ts';
export { ModelHost, type ModelHostOptions, ModelHosts } from './host/model-host.ts';
export { type OnnxProvider, onnxProviders } from './host/onnx-providers.ts';
export type { ModelRef } from './host/protocol.ts';
export { FarnebackFlow, farnebackSettings, type PairFlow } from './opencv/farneback.ts';
export { GrabCut, grabCutSettings } from './opencv/grab-cut.ts';
export { loadOpenCv } from './opencv/load-open-cv.ts';
export { type Point, PointFlow, pointFlowSettings } from './opencv/point-flow.ts';
export {
  createRunnablePredicate,
  explainMissing,
  type MissingModels,
  type ModelSelection,
  modelName,
  parseModelName,
  type RunnableModel,
  resolveModelRefs,
  runnableModels,
  selectModels,
} from './runnable.ts';
export type {
  Evidence,
  ModelOption,
  Pin,
  RejectedModel,
  SurfaceRow,
  WeightFile,
  WeightSource,
} from './surface.ts';
export {
  findOption,
  findRejected,
  modelOptions,
  modelRefusalReason,
  surfaceOf,
  surfaces,
} from './surface-registry.ts';
export { type Inventory, installedState, recentInventory } from './weights/inventory.ts';
export { type Pins, readPinsFile } from './weights/pins.ts';
export { type PullResult, pullModel } from './weights/pull-model.ts';
export { type VerifiedModel, verifyModel } from './weights/verify-model.ts';
export { listWeightFiles } from './weights/weight-folders.ts';
