export { decodeSamples } from './decode-samples.ts';
export type {
  ByteRange,
  CameraRequest,
  DecodedFrame,
  DecodeRequest,
  Film,
  FilmCodec,
  FilmFacts,
  FilmRequest,
  FrameNeed,
  FrameOutcome,
  FramesRequest,
  MediaOptions,
  MediaService,
  MissingParts,
  NoPicture,
  PartsRequest,
  Picture,
  PictureSpool,
  PlannedFrame,
  RgbPicture,
  SpooledPicture,
} from './media-port.ts';
export { createMediaService } from './media-service.ts';
export { planFrames } from './plan-frames.ts';
