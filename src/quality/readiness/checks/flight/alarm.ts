import type { Episode } from '#core/episode';
import type { FlagRow } from '../../check.ts';
import { type Report, reportOf } from './report.ts';

export const alarmFlag: FlagRow = {
  code: 'autopilot_alarm',
  severity: 'warning',
  meaning: 'The autopilot logged a text of level critical or worse in flight.',
  advice: 'Read the text at the mark; leave the span out where it says that control was lost.',
};

const alarming = /^(EMERGENCY|ALERT|CRITICAL): (.*)$/s;
const longestText = 80;

/** Texts of the levels that ground stations show in red. */
export function alarms(episode: Episode): Report | null {
  const told = episode.events.flatMap(({ label, source, time_s }) => {
    const [, level, text] = source === 'logged text' ? (alarming.exec(label) ?? []) : [];
    if (level === undefined) return [];
    return [{ what: `${level} "${text.trim().slice(0, longestText)}"`, from_s: time_s, to_s: time_s }];
  });
  return reportOf('autopilot_alarm', 'logged text', told, episode);
}
