export { askEndpoint, type JpegPicture, type VisionQuestion, type VisionUsage } from './ask-endpoint.ts';
export {
  type ChosenModel,
  chooseModel,
  collectModelChoices,
  type ModelChoices,
  readTenantModels,
} from './choose-model.ts';
export {
  type DepthFormat,
  type DepthPorts,
  depthPorts,
  type ModelContract,
  type PictureContract,
  type SentenceContract,
  type Tensor,
  type TensorSpec,
  type Tensors,
  type TensorType,
} from './contract.ts';
export { endpointAddress } from './endpoint-fault.ts';
export { FarnebackFlow, farnebackSettings, type PairFlow } from './farneback.ts';
export { GrabCut, grabCutSettings } from './grab-cut.ts';
export { ModelClient, type ModelSession } from './host/model-client.ts';
export { ModelHost, type ModelHostOptions, ModelHosts } from './host/model-host.ts';
export { type OnnxProvider, onnxProviders } from './host/onnx-providers.ts';
export type { ModelRef } from './host/protocol.ts';
export { SentenceEncoder } from './host/sentence-encoder.ts';
export { loadOpenCv } from './load-open-cv.ts';
export { modelName, parseModelName, resolveModelRefs } from './model-refs.ts';
export { type Point, PointFlow, pointFlowSettings } from './point-flow.ts';
export {
  createRunnablePredicate,
  explainMissing,
  type MissingModels,
  type ModelSelection,
  type RunnableModel,
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
export { type Inventory, recentInventory } from './weights/inventory.ts';
export { type Pins, readPinsFile } from './weights/pins.ts';
export { type PullResult, pullModel } from './weights/pull-model.ts';
export { type Trial, tryModel } from './weights/trial.ts';
export { type VerifiedModel, verifyModel } from './weights/verify-model.ts';
export { listWeightFiles } from './weights/weight-folders.ts';
