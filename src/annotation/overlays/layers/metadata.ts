import { z } from 'zod';
import { type Overlay, readArtifact } from '../overlay.ts';

const facts = z.object({
  facts: z.record(z.string(), z.object({ status: z.string(), value: z.json() })),
});
const mostFacts = 12;

/** The facts that are told, one a line. */
export const metadata: Overlay = {
  layer: 'metadata',
  open: (artifact) => {
    const all = Object.entries(readArtifact('metadata', facts, artifact).facts);
    const told = all.filter(([, { status }]) => status === 'told');
    const lines = told.map(([name, { value }]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `${name.replaceAll('_', ' ')}: ${text.length > 60 ? `${text.slice(0, 60)}...` : text}`;
    });
    return {
      cameras: null,
      at: () => ({
        time_s: null,
        covers: null,
        draw: (canvas) => {
          for (const line of lines.slice(0, mostFacts)) canvas.note(line);
          if (lines.length > mostFacts) canvas.note(`and ${lines.length - mostFacts} more`);
          if (lines.length === 0) canvas.note('no fact is told');
        },
      }),
    };
  },
};
