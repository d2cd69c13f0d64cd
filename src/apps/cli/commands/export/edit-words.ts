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
  drop_feature: ({ feature, reason }) => `without ${feature}: ${reason}`,
  drop: ({ features }) => `without ${list(features)}`,
  convert: ({ features }) => `in another unit: ${[features ?? []].flat().map(conversion).join(', ')}`,
  cut: ({ hole_periods }) => `cut where recorded stamps are more than ${hole_periods} periods apart`,
  shift: ({ by_rows }) => `moved: ${pairs(by_rows, shifted)}`,
  trim: ({ to, margin_s, from_s, to_s, episodes }) =>
    to === 'plan'
      ? `${count(Number(episodes), 'episode')} without the rest that the plan marks`
      : to === 'motion'
        ? `without the rest before the first motion and after the last; ${margin_s} s of it stay`
        : `from ${from_s} s ${to_s === null ? 'on' : `to ${to_s} s`}`,
  video: ({ codec }) => `videos as ${codec}; those that are so already are copied`,
  size: ({ width_px, height_px }) => `pictures of videos as ${width_px}x${height_px} px`,
  rename: ({ feature, from, names }) =>
    names === undefined
      ? `${feature} from ${list(from)}`
      : `called: ${pairs(names, (a, b) => `${b} (was ${a})`)}`,
  map: ({ source, names }) => `called, of ${source}: ${pairs(names, (a, b) => `${b} (was ${a})`)}`,
  split: ({ shares }) => `split: ${pairs(shares, (name, share) => `${name} ${percent(share)}`)}`,
  encode: ({ feature, codec, from, episodes, reason }) => {
    const where =
      episodes === undefined ? `, from ${list(from)}` : ` in ${count(Number(episodes), 'episode')}`;
    return `${feature} encoded as ${codec}${where}${reason === undefined ? '' : `: ${reason}`}`;
  },
  copy_video: ({ feature, from, episodes }) =>
    `${feature} copied packet by packet in ${count(Number(episodes), 'episode')}, from ${list(from)}`,
  add_annotations: ({ layers, episodes }) =>
    `with what ${list(layers)} say of ${count(Number(episodes), 'episode')}`,
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
