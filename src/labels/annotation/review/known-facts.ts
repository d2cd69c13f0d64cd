import { z } from 'zod';
import { canonicalJson, type JsonObject } from '#core';

/** What the layer `metadata` says of an episode. */
export const knownFacts = z.object({ facts: z.record(z.string(), z.record(z.string(), z.json())) });

const longest_chars = 120;

/** A fact in a few words. */
export function toldText({ status, value }: JsonObject): string {
  if (status !== 'told') return String(status);
  const text = typeof value === 'string' ? value : canonicalJson(value);
  return text.length > longest_chars ? `${text.slice(0, longest_chars)}…` : text;
}
