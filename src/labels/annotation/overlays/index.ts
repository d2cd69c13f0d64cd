export { type Canvas as OverlayCanvas, type Size as OverlaySize, sizeOfWidth } from './canvas.ts';
export {
  composePng,
  composeRgb,
  drawOverlays,
  type LayerDrawing,
  overlaySvg,
  pictureSize,
} from './compose.ts';
export type { OpenOverlay, OverlayParts } from './overlay.ts';
export { drawingOrder, overlayOf } from './overlay-registry.ts';
