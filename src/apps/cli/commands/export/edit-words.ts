import type { JsonObject, JsonValue } from '#core';
import { count } from '../../words.ts';

type InWords = (edit: JsonObject) => string;

const list = (value: JsonValue | undefined) => [value ?? []].flat().map(String).join(', ');
const pairs = (value: JsonValue | undefined, to: (key: string, value: JsonValue) => string) =>
  Object.entries(isObject(value) ? value : {})
    .map(([key, own]) => to(key, own))
    .join(', ');

/** Renderers of lineage entries by edit id. */
const inWords: Readonly<Record<string, InWords>> = {
  drop_feature: ({ feature, reason }) => `dropped ${feature}: ${reason}`,
  drop: ({ features }) => `dropped: ${list(features)}`,
  convert: ({ features }) => `converted units: ${[features ?? []].flat().map(conversion).join(', ')}`,
  cut: ({ hole_periods }) => `split at gaps of more than ${hole_periods} periods between recorded timestamps`,
  shift: ({ by_rows }) => `shifted: ${pairs(by_rows, shifted)}`,
  trim: ({ to, margin_s, from_s, to_s, episodes }) =>
    to === 'plan'
      ? `trimmed ${count(Number(episodes), 'episode')} as marked in the plan`
      : to === 'motion'
        ? `trimmed idle time before the first and after the last motion, except ${margin_s} s`
        : `trimmed, keeping ${from_s} s ${to_s === null ? 'to the end' : `to ${to_s} s`}`,
  video: ({ codec }) => `videos encoded as ${codec}; videos that already use it are copied`,
  size: ({ width_px, height_px }) => `videos scaled to ${width_px}x${height_px} px`,
  rename: ({ feature, from, names }) =>
    names === undefined
      ? `${feature} from ${list(from)}`
      : `renamed: ${pairs(names, (a, b) => `${a} → ${b}`)}`,
  map: ({ source, names }) => `renamed in ${source}: ${pairs(names, (a, b) => `${a} → ${b}`)}`,
  split: ({ shares }) => `splits: ${pairs(shares, (name, share) => `${name} ${percent(share)}`)}`,
  encode: ({ feature, codec, from, episodes, reason }) => {
    const where =
      episodes === undefined ? `, from ${list(from)}` : ` in ${count(Number(episodes), 'episode')}`;
    return `${feature} encoded as ${codec}${where}${reason === undefined ? '' : `: ${reason}`}`;
  },
  copy_video: ({ feature, from, episodes }) =>
    `${feature} copied without re-encoding in ${count(Number(episodes), 'episode')}, from ${list(from)}`,
  add_annotations: ({ layers, episodes }) =>
    `added annotations: ${list(layers)}, ${count(Number(episodes), 'episode')}`,
  align: ({ rule }) => String(rule),
};

/** Describes an edit of an export's lineage in one line; falls back to its reason or id if the edit is unknown. */
export function editInWords(edit: JsonObject): string {
  const own = inWords[String(edit.edit)];
  if (own !== undefined) return own(edit);
  return typeof edit.reason === 'string' ? edit.reason : String(edit.edit).replaceAll('_', ' ');
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function conversion(value: JsonValue): string {
  if (!isObject(value)) return String(value);
  const { feature, names, units } = value;
  const which = names === null ? '' : ` (${list(names)})`;
  return `${feature}${which} ${String(units).replace(':', ' to ')}`;
}

function shifted(feature: string, rows: JsonValue): string {
  const by = Number(rows);
  return `${feature} ${Math.abs(by)} rows ${by < 0 ? 'earlier' : 'later'}`;
}

const percent = (share: JsonValue) => `${Number((Number(share) * 100).toFixed(1))} %`;
