/** Video files: listed, cut and copied packet by packet, encoded; and pictures encoded as JPEG. */
export type { CameraPictures, RecordedPicture, RgbFrame } from './camera-pictures.ts';
export { type CodedVideo, openCodedVideo } from './coded-video.ts';
export { copySpans } from './copy-spans.ts';
export { type EvenVideo, evenVideo } from './even-video.ts';
export { FrameScaler } from './frame-scaler.ts';
export { type JpegEncoder, openJpegEncoder } from './jpeg-encoder.ts';
export { mimeOf } from './mime-of.ts';
export { PacketCopier, type VideoSpan } from './packet-copier.ts';
export type { ListedPacket } from './packet-runs.ts';
export { evenSize, rgbToYuv420 } from './rgb-to-yuv.ts';
export { spoolUnits } from './spool-units.ts';
export { openVideoFacts, type VideoFacts } from './video-facts.ts';
export { openVideoWriter, type VideoSettings, type VideoWriter } from './writer.ts';
