import type { Field, FieldType } from '@assay/ros-messages';

const maxDepth = 12;
const maxFields = 2000;

/** Infers the message type of a JSON value; `null` for values that no schema represents. */
export const inferType = (value: unknown): FieldType | null => new TypeInference().type(value, 0);

class TypeInference {
  #fields = 0;

  type(value: unknown, depth: number, name = ''): FieldType | null {
    if (depth > maxDepth || ++this.#fields > maxFields) return null;
    switch (typeof value) {
      case 'number':
        return isStampName(name) ? { kind: 'time' } : { kind: 'number', type: 'float64' };
      case 'boolean':
        return { kind: 'number', type: 'bool' };
      case 'string':
        return isStampName(name) && isStampText(value) ? { kind: 'time' } : { kind: 'string' };
      case 'object':
        if (value === null) return { kind: 'number', type: 'float64' };
        return Array.isArray(value) ? this.#array(value, depth) : this.#struct(value, depth);
      default:
        return null;
    }
  }

  #array(values: readonly unknown[], depth: number): FieldType | null {
    if (values.length === 0) return { kind: 'array', of: { kind: 'number', type: 'float64' }, length: null };
    const of = this.type(values[0], depth + 1);
    return of === null ? null : { kind: 'array', of, length: null };
  }

  #struct(value: object, depth: number): FieldType {
    const entries = Object.entries(value);
    const keys = new Set(entries.map(([key]) => key));
    if (isTime(keys)) return { kind: 'time' };
    const fields: Field[] = [];
    for (const [name, inner] of entries) {
      const type = name.includes('.') ? null : this.type(inner, depth + 1, name);
      if (type !== null) fields.push({ name, type: name === 'data' && isBase64(inner) ? bytes : type });
    }
    return { kind: 'struct', name: '', fields };
  }
}

const bytes: FieldType = { kind: 'array', of: { kind: 'number', type: 'uint8' }, length: null };

function isTime(keys: ReadonlySet<string>): boolean {
  const fraction = keys.has('nsec') || keys.has('nanosec') || keys.has('nsecs') || keys.has('nanos');
  return keys.size === 2 && fraction && (keys.has('sec') || keys.has('secs') || keys.has('seconds'));
}

/** True for long base64 text: a picture in JSON, not a sentence. */
function isBase64(value: unknown): boolean {
  return (
    typeof value === 'string' && value.length >= 64 && /^[A-Za-z0-9+/]+={0,2}$/.test(value.slice(0, 4096))
  );
}

function isStampName(name: string): boolean {
  return /^(stamp|timestamp|time)(_ns|_nanoseconds)?$|^(stamp|timestamp|time)Ns$/.test(name);
}

function isStampText(text: string): boolean {
  return /^\d{10,20}$/.test(text) || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text);
}
