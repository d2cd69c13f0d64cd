/** Names for files and columns, one an id, all different: `/camera/front/image` becomes `camera.front.image`. */
export function plainKeys(ids: Iterable<string>): Map<string, string> {
  const keys = new Map<string, string>();
  const taken = new Set<string>();
  for (const id of ids) {
    const plain = plainKey(id);
    let key = plain;
    for (let n = 2; taken.has(key); n++) key = `${plain}_${n}`;
    taken.add(key);
    keys.set(id, key);
  }
  return keys;
}

/** Letters, digits, `_`, `-` and single dots in between; never empty. */
export function plainKey(id: string): string {
  const parts = id.split(/[/.]+/).map((part) => part.replace(/[^A-Za-z0-9_-]+/g, '_'));
  return parts.filter((part) => part !== '').join('.') || 'unnamed';
}
