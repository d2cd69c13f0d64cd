import { type GlyphName, glyphPaths } from '#quality/report/views';

/** Icon as in the report; never distinguished by colour alone. */
export function Glyph({ name }: { readonly name: GlyphName }) {
  return (
    <svg className={`glyph glyph-${name}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={glyphPaths[name]} />
    </svg>
  );
}
