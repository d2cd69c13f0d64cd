export type { CameraRequest, MediaService } from './media-port.ts';
