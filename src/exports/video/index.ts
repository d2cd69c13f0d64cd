/** Video files: listed, cut and copied packet by packet, encoded. A door of its own, so that a decoder loads no format. */
export { type CodedVideo, openCodedVideo } from './coded-video.ts';
export { copySpans } from './copy-spans.ts';
export { FrameScaler } from './frame-scaler.ts';
export { mimeOf } from './mime-of.ts';
export { PacketCopier } from './packet-copier.ts';
export type { ListedPacket } from './packet-runs.ts';
export { evenSize, rgbToYuv420 } from './rgb-to-yuv.ts';
export { openVideoWriter, type VideoWriter } from './writer.ts';
