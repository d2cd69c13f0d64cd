export { type Canvas as OverlayCanvas, type Size as OverlaySize, sizeOfWidth } from './canvas.ts';
export { composePng, composeRgb, overlaySvg, sizeOf } from './compose.ts';
export { drawOverlays, type LayerSaying } from './draw-overlays.ts';
export type { OpenOverlay, OverlayParts } from './overlay.ts';
export { drawingOrder, overlayOf } from './overlay-registry.ts';
