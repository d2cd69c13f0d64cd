/** In which order a text goes, first the default. */
export const styles = ['chronological', 'spatial', 'instructional'] as const;

export type Style = (typeof styles)[number];

export const styleOf = (name: string): Style => styles.find((style) => style === name) ?? styles[0];
