export type { CameraRequest, FramesRequest, MediaOptions, MediaService } from './media-port.ts';
export { createMediaService } from './media-service.ts';
