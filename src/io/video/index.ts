/** Video files: listing, cutting and copying packets, encoding; and JPEG encoding. */
export { type CameraPictures, type RecordedPicture, type RgbFrame, spoolUnits } from './camera-pictures.ts';
export {
  type CodedVideo,
  type EvenVideo,
  openCodedVideo,
  openVideoFacts,
  restampEvenly,
  type VideoFacts,
} from './coded-video.ts';
export { type JpegEncoder, openJpegEncoder } from './jpeg-encoder.ts';
export { mimeType } from './mime-type.ts';
export { copySpans, PacketCopier, type VideoSpan } from './packet-copier.ts';
export type { ListedPacket } from './packet-runs.ts';
export { evenSize, FrameScaler, rgbToYuv420 } from './rgb-frames.ts';
export { openVideoWriter, type VideoSettings, type VideoWriter } from './writer.ts';
