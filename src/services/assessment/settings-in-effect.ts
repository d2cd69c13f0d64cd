import type { Assessment, ReadinessSettings } from '#contract';
import { resolveSettings } from '#readiness';

/** How the settings that judged are told beside every score. */
export function settingsInEffect(settings: ReadinessSettings): Assessment['dataset']['settings'] {
  const hash = resolveSettings(settings).settings_hash;
  return { name: hash === resolveSettings().settings_hash ? 'default' : 'changed', hash };
}
