import { z } from 'zod';
import { type Overlay, readArtifact } from '../overlay.ts';

const windows = z.object({
  windows: z.array(z.object({ from_s: z.number(), to_s: z.number(), text: z.string() })),
});

/** The caption of the window that a picture lies in. */
export const captions: Overlay = {
  layer: 'captions',
  open: (artifact) => {
    const { windows: all } = readArtifact('captions', windows, artifact);
    return {
      cameras: null,
      at: (_, time_s) => {
        const own = all.findLast(({ from_s, to_s }) => time_s >= from_s && time_s <= to_s);
        const text = own === undefined || own.text === '' ? 'no caption' : own.text;
        return { time_s: null, covers: null, draw: (canvas) => canvas.strip(text) };
      },
    };
  },
};
