import type { ReadinessSettings } from '#core/api';

/** Settings as they were given, once their shape is checked. Throws `invalid_settings`. */
export async function checkedSettings(raw: unknown): Promise<ReadinessSettings> {
  if (raw === undefined) return {};
  // Schemas take longer to load than a small recording to assess.
  const { parseSettings } = await import('#quality/readiness/documents');
  return parseSettings(raw);
}
