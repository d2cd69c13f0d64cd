import { z } from 'zod';
import { type Overlay, readArtifact } from '../overlay.ts';

/** The long text, as much of it as there is room for. */
export const denseText: Overlay = {
  layer: 'dense_text',
  open: (artifact) => {
    const { text } = readArtifact('dense_text', z.object({ text: z.string() }), artifact);
    const said = text === '' ? 'no text' : text;
    return {
      cameras: null,
      at: () => ({ time_s: null, covers: null, draw: (canvas) => canvas.strip(said) }),
    };
  },
};
