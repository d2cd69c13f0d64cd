import { AssayError } from '#core';

/** Values as they were typed, by layer and knob. */
export type TypedKnobs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Reads `--config`: `layer.knob=value`, `knob=value` where one layer is meant, or a JSON object of its knobs. Throws `usage`.
 */
export function readKnobs(texts: readonly string[], layers: readonly string[]): TypedKnobs {
  const [only] = layers;
  const knobs: Record<string, Record<string, unknown>> = {};
  const set = (layer: string | undefined, own: object) => {
    if (layer === undefined || !layers.includes(layer))
      throw wrong(
        `--config names ${layer}, which is not among the layers`,
        `the layers are ${layers.join(', ')}`,
      );
    knobs[layer] = { ...knobs[layer], ...own };
  };
  for (const text of texts) {
    const typed = /^(?:([a-z0-9_]+)\.)?([a-z0-9_]+)=(.*)$/s.exec(text);
    if (typed !== null) {
      if (typed[1] === undefined && layers.length > 1)
        throw wrong(`--config ${text} does not say which layer it is of`, `write it as ${only}.${text}`);
      set(typed[1] ?? only, { [typed[2]]: typedValue(typed[3]) });
      continue;
    }
    const object = parsed(text);
    if (typeof object !== 'object' || object === null || Array.isArray(object))
      throw wrong(`--config cannot be ${text}`, 'write it as layer.knob=value, or as a JSON object of knobs');
    if (layers.length > 1)
      throw wrong('--config as a JSON object is of one layer', 'write it as layer.knob=value');
    set(only, object);
  }
  return knobs;
}

/** JSON where it is JSON, else the text. */
function typedValue(text: string): unknown {
  const value = parsed(text);
  return value === undefined ? text : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const wrong = (message: string, advice: string): AssayError => new AssayError('usage', message, { advice });
