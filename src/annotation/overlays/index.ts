export { sizeOfWidth } from './canvas.ts';
export { composePng, sizeOf } from './compose.ts';
export { drawOverlays } from './draw-overlays.ts';
export type { OpenOverlay, OverlayParts } from './overlay.ts';
export { overlayOf } from './overlay-registry.ts';
