import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '#core';
import type { InstalledState, ModelWeights } from '#core/api';
import type { ModelOption } from '../surface.ts';
import { modelOptions } from '../surface-registry.ts';
import { type Pins, readAcceptedPins } from './pins.ts';
import { safetensorsFault } from './safetensors-file.ts';
import { readTrial } from './trial.ts';
import { installedGraph, listWeightFiles, weightsFolder, weightsPath } from './weight-folders.ts';

/** Installation state of a model. */
interface Installed {
  readonly installed: InstalledState;
  /** Weights files; `null` if it has none that could be installed. */
  readonly weights: ModelWeights | null;
}

/** Installation state of every model option, by id. */
export type Inventory = ReadonlyMap<string, Installed>;

/**
 * Reads from the models folder which files of every registered model are installed and accepted; an invalid pins file
 * counts as empty, which `verifyModel` reports.
 */
export async function readInventory(data_folder: string): Promise<Inventory> {
  const filesByModel = await listWeightFiles(data_folder);
  const rows = await Promise.all(
    modelOptions.map(async (option) => {
      const files = filesByModel.get(option.id) ?? new Set<string>();
      const accepted =
        files.size === 0 ? {} : await readAcceptedPins(data_folder, option.id).catch(() => ({}));
      return [option.id, await toInstalled(data_folder, option, files, accepted)] as const;
    }),
  );
  return new Map(rows);
}

const cacheTtl_ms = 2000;
const inventoryCache = new Map<string, { readonly until: number; readonly inventory: Promise<Inventory> }>();

/** Returns the inventory of a data folder, read at most two seconds ago. */
export function recentInventory(data_folder: string): Promise<Inventory> {
  const pin = inventoryCache.get(data_folder);
  if (pin !== undefined && Date.now() < pin.until) return pin.inventory;
  const inventory = readInventory(data_folder);
  inventoryCache.set(data_folder, { until: Date.now() + cacheTtl_ms, inventory });
  return inventory;
}

async function toInstalled(
  data_folder: string,
  option: ModelOption,
  files: ReadonlySet<string>,
  accepted: Pins,
): Promise<Installed> {
  const presence = weightsPresence(option, files);
  if (presence !== 'present' && presence !== 'absent') return { installed: presence, weights: null };
  const source = option.weights ?? null;
  const listed = source?.files ?? [...files].sort().map((path) => ({ path, pin: null }));
  const [installed, fault] =
    presence === 'absent' ? (['absent', null] as const) : await usability(data_folder, option, files);
  return {
    installed,
    weights: {
      folder: weightsFolder(option.id),
      source: source === null ? null : { repository: source.repository, revision: source.revision },
      fault,
      files: listed.map(({ path, pin }) => {
        const known = pin ?? accepted[path];
        return { path, bytes: known?.bytes ?? null, sha256: known?.sha256 ?? null, present: files.has(path) };
      }),
    },
  };
}

/** Returns whether weights that are there can be used, as far as is known without loading them, and if not, why. */
async function usability(
  data_folder: string,
  option: ModelOption,
  files: ReadonlySet<string>,
): Promise<readonly [InstalledState, fault: string | null]> {
  const trial = await readTrial(data_folder, option.id, files);
  if (trial !== null) return [trial.fault === null ? 'installed' : 'unusable', trial.fault];
  const graph = installedGraph(option, files);
  const outlineFault = option.runtime === 'tfjs' ? safetensorsFault : onnxFault;
  const fault = graph === null ? null : await outlineFault(join(weightsPath(data_folder, option.id), graph));
  return fault === null ? ['files_present', null] : ['unusable', `${graph} ${fault}`];
}

/** Returns whether a model's files are there, judged by their names in its folder. */
function weightsPresence(
  { runtime, weights }: ModelOption,
  files: ReadonlySet<string>,
): 'no_weights_needed' | 'endpoint' | 'bundled' | 'present' | 'absent' {
  if (runtime === 'algorithm') return 'no_weights_needed';
  if (runtime === 'endpoint' || runtime === 'bundled') return runtime;
  const arePresent =
    weights === undefined
      ? [...files].some((path) => path.endsWith('.onnx'))
      : weights.files.every(({ path }) => files.has(path));
  return arePresent ? 'present' : 'absent';
}

/** Fields of `ModelProto` in onnx.proto3: their numbers. */
const irVersionField = 1;
const graphField = 7;
const modelFields: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 8, 14, 20, 25, 26]);
/** Longest head of a field: a tag and a length, two varints of at most ten bytes. */
const maxHead_bytes = 20;

/**
 * Returns in words why a file cannot be an ONNX graph or cannot be read; `null` if its outline is that of a graph. It
 * reads only the heads of the top-level fields, so it is fast for files of gigabytes and does not prove that the
 * graph can be loaded.
 */
export async function onnxFault(path: string): Promise<string | null> {
  try {
    await using file = await open(path, 'r');
    return await outlineFault(file, (await file.stat()).size);
  } catch (thrown) {
    return `cannot be read: ${messageOf(thrown)}`;
  }
}

async function outlineFault(file: FileHandle, size: number): Promise<string | null> {
  const found = new Set<number>();
  for (let at = 0; at < size; ) {
    const field = await readField(file, at);
    if (field === null || !modelFields.has(field.number)) return notOnnx;
    found.add(field.number);
    at += field.length;
    if (at > size) return `is cut off: it has ${size} bytes, and its content needs at least ${at}`;
  }
  return found.has(irVersionField) && found.has(graphField) ? null : notOnnx;
}

const notOnnx = 'is not an ONNX graph';

interface Field {
  readonly number: number;
  /** Length with its head, in bytes. */
  readonly length: number;
}

/** Reads the head of a protobuf field; `null` if there is none. */
async function readField(file: FileHandle, at: number): Promise<Field | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(maxHead_bytes), 0, maxHead_bytes, at);
  const head = buffer.subarray(0, bytesRead);
  const tag = readVarint(head, 0);
  if (tag === null) return null;
  const number = Math.floor(tag.value / 8);
  const payload = readVarint(head, tag.length);
  switch (tag.value % 8) {
    case 0:
      return payload && { number, length: tag.length + payload.length };
    case 2:
      return payload && { number, length: tag.length + payload.length + payload.value };
    default:
      // ModelProto has no fields of fixed width.
      return null;
  }
}

function readVarint(bytes: Uint8Array, from: number): { value: number; length: number } | null {
  let value = 0;
  for (let at = from; at < bytes.length && at < from + 10; at++) {
    value += (bytes[at] & 0x7f) * 2 ** (7 * (at - from));
    if (bytes[at] < 0x80) return { value, length: at - from + 1 };
  }
  return null;
}
