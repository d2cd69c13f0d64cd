export { decodeSamples } from './decode-samples.ts';
export type {
  Film,
  FilmCodec,
  FilmFacts,
  FilmRequest,
  PictureSpool,
  SpooledPicture,
} from './film.ts';
export type {
  CameraRequest,
  DecodedFrame,
  DecodeRequest,
  FilePart,
  FrameOutcome,
  FramesRequest,
  FrameWish,
  MediaOptions,
  MediaService,
  NoPicture,
  PartsRequest,
  Picture,
  PlannedFrame,
  RgbPicture,
  WantedParts,
} from './media-port.ts';
export { createMediaService } from './media-service.ts';
export { planFrames } from './plan-frames.ts';
