import type { Assessment, ReadinessSettings } from '#core/api';
import { resolveSettings } from '#quality/readiness';

/** How every score names the settings that judged it. */
export function settingsInEffect(settings: ReadinessSettings): Assessment['dataset']['settings'] {
  const hash = resolveSettings(settings).settings_hash;
  return { name: hash === resolveSettings().settings_hash ? 'default' : 'changed', hash };
}
