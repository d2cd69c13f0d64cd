import { AV_PIX_FMT_RGB24, type AVPixelFormat, SWS_AREA } from 'node-av/constants';
import { Frame, SoftwareScaleContext } from 'node-av/lib';
import type { JpegSource } from '../pictures/to-jpeg.ts';

/** The frame in RGB, at most `width` px wide when it stands upright. */
export function rgbOf(frame: Frame, width: number, rotation_deg: number): JpegSource {
  const shownWidth = rotation_deg % 180 === 0 ? frame.width : frame.height;
  const scale = Math.min(1, width / shownWidth);
  const to = {
    width: Math.max(1, Math.round(frame.width * scale)),
    height: Math.max(1, Math.round(frame.height * scale)),
  };
  using scaler = new SoftwareScaleContext();
  const from = frame.format as AVPixelFormat;
  scaler.getContext(frame.width, frame.height, from, to.width, to.height, AV_PIX_FMT_RGB24, SWS_AREA);
  using rgb = new Frame();
  rgb.alloc();
  rgb.width = to.width;
  rgb.height = to.height;
  rgb.format = AV_PIX_FMT_RGB24;
  rgb.getBuffer();
  if (scaler.scaleFrameSync(rgb, frame) < 0) throw new Error('a frame could not be turned to RGB');
  return { type: 'pixels', data: packed(rgb), ...to, channels: 3, rotation_deg };
}

function packed(rgb: Frame): Uint8Array {
  const plane = rgb.data?.[0];
  if (plane === undefined) throw new Error('the scaler gave a frame without pixels');
  const row = rgb.width * 3;
  const stride = rgb.linesize[0];
  const data = new Uint8Array(row * rgb.height);
  for (let y = 0; y < rgb.height; y++) data.set(plane.subarray(y * stride, y * stride + row), y * row);
  return data;
}
