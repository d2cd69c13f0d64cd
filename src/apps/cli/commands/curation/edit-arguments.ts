import type { JsonObject, JsonValue } from '#core';
import { count } from '../../text.ts';

/** Options that edit a dataset during export, by the id of the edit. */
export interface EditArguments {
  readonly drop?: readonly string[];
  readonly convert?: readonly string[];
  readonly cut?: string;
  readonly shift?: readonly string[];
  readonly trim?: string;
  readonly video?: string;
  readonly size?: string;
  readonly rename?: readonly string[];
  readonly split?: readonly string[];
}

/** Returns the edits that were requested: edit id → list of its option values. */
export function editsOf({ drop, convert, cut, shift, trim, video, size, rename, split }: EditArguments) {
  const requestedEdits = { drop, convert, cut, shift, trim, video, size, rename, split };
  return Object.fromEntries(
    Object.entries(requestedEdits).flatMap(([id, texts]) =>
      texts === undefined ? [] : [[id, [texts].flat()]],
    ),
  );
}

type InWords = (edit: JsonObject) => string;

const listInWords = (value: JsonValue | undefined) => [value ?? []].flat().map(String).join(', ');
const pairsInWords = (value: JsonValue | undefined, to: (key: string, value: JsonValue) => string) =>
  Object.entries(isObject(value) ? value : {})
    .map(([key, own]) => to(key, own))
    .join(', ');

/** Renderers of lineage entries by edit id. */
const inWords: Readonly<Record<string, InWords>> = {
  drop_feature: ({ feature, reason }) => `dropped ${feature}: ${reason}`,
  drop: ({ features }) => `dropped: ${listInWords(features)}`,
  convert: ({ features }) => `converted units: ${[features ?? []].flat().map(conversion).join(', ')}`,
  cut: ({ hole_periods }) => `split at gaps of more than ${hole_periods} periods between recorded timestamps`,
  shift: ({ by_rows }) => `shifted: ${pairsInWords(by_rows, shifted)}`,
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
      ? `${feature} from ${listInWords(from)}`
      : `renamed: ${pairsInWords(names, (a, b) => `${a} → ${b}`)}`,
  map: ({ source, names }) => `renamed in ${source}: ${pairsInWords(names, (a, b) => `${a} → ${b}`)}`,
  split: ({ shares }) => `splits: ${pairsInWords(shares, (name, share) => `${name} ${percent(share)}`)}`,
  encode: ({ feature, codec, from, episodes, reason }) => {
    const where =
      episodes === undefined ? `, from ${listInWords(from)}` : ` in ${count(Number(episodes), 'episode')}`;
    return `${feature} encoded as ${codec}${where}${reason === undefined ? '' : `: ${reason}`}`;
  },
  copy_video: ({ feature, from, episodes }) =>
    `${feature} copied without re-encoding in ${count(Number(episodes), 'episode')}, from ${listInWords(from)}`,
  add_annotations: ({ layers, episodes }) =>
    `added annotations: ${listInWords(layers)}, ${count(Number(episodes), 'episode')}`,
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
  const which = names === null ? '' : ` (${listInWords(names)})`;
  return `${feature}${which} ${String(units).replace(':', ' to ')}`;
}

function shifted(feature: string, rows: JsonValue): string {
  const by = Number(rows);
  return `${feature} ${Math.abs(by)} rows ${by < 0 ? 'earlier' : 'later'}`;
}

const percent = (share: JsonValue) => `${Number((Number(share) * 100).toFixed(1))} %`;
