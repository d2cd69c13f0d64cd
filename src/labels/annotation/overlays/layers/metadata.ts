import { z } from 'zod';
import type { JsonValue } from '#core';
import { type Overlay, readArtifact } from '../overlay.ts';

const facts = z.object({
  facts: z.record(z.string(), z.object({ status: z.string(), value: z.json() })),
});
const mostFacts = 12;
const mostLetters = 60;

/** The facts that are told, one a line. */
export const metadata: Overlay = {
  layer: 'metadata',
  open: (artifact) => {
    const all = Object.entries(readArtifact('metadata', facts, artifact).facts);
    const told = all.filter(([, { status }]) => status === 'told');
    const lines = told.map(([name, { value }]) => {
      const text = inWords(value);
      const shown = text.length > mostLetters ? `${text.slice(0, mostLetters)}...` : text;
      return `${name.replaceAll('_', ' ')}: ${shown}`;
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

/** `mean 0.48, darkest 0.42` of what has members, `a; b` of a list; what holds nothing is left out. */
function inWords(value: JsonValue): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(inWords).join('; ');
  if (typeof value !== 'object' || value === null) return String(value ?? 'unknown');
  return Object.entries(value)
    .filter(([, member]) => member !== null && typeof member !== 'object')
    .map(([name, member]) => `${name.replaceAll('_', ' ')} ${String(member)}`)
    .join(', ');
}
