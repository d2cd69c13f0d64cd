export type {
  CameraRequest,
  DecodedFrame,
  DecodeRequest,
  FrameOutcome,
  FramesRequest,
  FrameWish,
  MediaOptions,
  MediaService,
  NoPicture,
  Picture,
  PlannedFrame,
  RgbPicture,
} from './media-port.ts';
export { createMediaService } from './media-service.ts';
export { planFrames } from './plan-frames.ts';
