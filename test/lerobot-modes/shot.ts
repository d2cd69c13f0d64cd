/** Content of one camera frame. */
export interface Shot {
  /** The view: which camera was plugged in there, whatever its pictures are filed under. */
  readonly camera: number;
  /** The take that was before the lens, and its row. */
  readonly take: number;
  readonly row: number;
  /** Salt of the sensor's noise, so that one moment can be filmed twice. */
  readonly grain?: number;
  readonly look?: 'black';
  /** Another table under other light; 0 is the usual one. */
  readonly scene?: number;
}

/** Blocks of a strip at the lower edge: 4 bits take, 1 camera, 8 row (Gray), 3 check; one block is 8 px square. */
export const strip = { blocks: 16, block_px: 8, dark: 110, light: 150 } as const;

/** The number that the strip carries; -1 where a picture shows none. `loader_oracle.py` reads it back. */
export function codeOf({ camera, take, row, look }: Shot): number {
  if (look === 'black') return -1;
  const gray = row ^ (row >> 1);
  const check = (take * 5 + camera * 3 + row + 5) & 7;
  return (take << 12) | (camera << 11) | (gray << 3) | check;
}

export function shotKey({ camera, take, row, grain, look, scene }: Shot): string {
  return `${camera}.${take}.${row}.${grain ?? 0}.${look ?? ''}.${scene ?? 0}`;
}
