/** The same signs as in the report; colour never says it alone. */
const paths = {
  accept: 'M3.2 8.4 6.6 11.8 12.8 4.6',
  review: 'M8 3.2v6M8 11.6v1.4',
  reject: 'M4 4l8 8M12 4l-8 8',
  blocking: 'M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2zM8 4.6v4.2M8 10.6v1.2',
  warning: 'M8 1.8 15 14H1zM8 6v4M8 11.4v1',
  error: 'M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2zM8 4.6v4.2M8 10.6v1.2',
  info: 'M8 1.5a6.5 6.5 0 1 0 .01 0zM8 7v4.4M8 4.2v1.2',
} as const;

export type GlyphName = keyof typeof paths;

export function Glyph({ name }: { readonly name: GlyphName }) {
  return (
    <svg className={`glyph glyph-${name}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
