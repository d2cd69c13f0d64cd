export type {
  CameraRequest,
  FramesRequest,
  MediaOptions,
  MediaService,
  NoPicture,
  Picture,
} from './media-port.ts';
export { createMediaService } from './media-service.ts';
