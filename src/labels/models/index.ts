export { type ChosenModel, chooseModel, type ModelWishes } from './choose-model.ts';
export type { ModelContract } from './contract.ts';
export { askEndpoint } from './endpoint/ask-endpoint.ts';
export { endpointAddress } from './endpoint/endpoint-address.ts';
export type { ShownPicture, VisionQuestion, VisionUsage } from './endpoint/question.ts';
export { findOption, findRejected, modelOptions } from './find-option.ts';
export type { ModelRef } from './host/messages.ts';
export { ModelClient } from './host/model-client.ts';
export { ModelHost, type ModelHostOptions } from './host/model-host.ts';
export { ModelHosts } from './host/model-hosts.ts';
export { type OnnxProvider, onnxProviders } from './host/onnx-providers.ts';
export { installedState } from './installed-state.ts';
export { modelName, namedModel, type RunnableModel } from './model-name.ts';
export type { ModelSession } from './model-session.ts';
export { modelWishes, readTenantModels } from './model-wishes.ts';
export { objectToModel } from './object-to-model.ts';
export { FarnebackFlow, farnebackSettings, type PairFlow } from './opencv/farneback.ts';
export { GrabCut, grabCutSettings } from './opencv/grab-cut.ts';
export { loadOpenCv } from './opencv/load-open-cv.ts';
export { type Point, PointFlow, pointFlowSettings } from './opencv/point-flow.ts';
export { modelRefs, runnableHere, runnableModels } from './runnable.ts';
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
export type { Tensor, TensorSpec, Tensors, TensorType } from './tensor.ts';
export { type Inventory, recentInventory } from './weights/inventory.ts';
export { listPlaced } from './weights/list-placed.ts';
export { type Pins, readPinsFile } from './weights/pins.ts';
export { type Pulled, pullModel } from './weights/pull-model.ts';
export { type VerifiedModel, verifyModel } from './weights/verify-model.ts';
