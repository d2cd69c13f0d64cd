import { type ReactNode, useEffect } from 'react';

interface PageProps {
  readonly title: string;
  /** Content beside the title. */
  readonly aside?: ReactNode;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

/** Screen with a title, which is also the window title, and its content. */
export function Page({ title, aside, note, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Assay`;
  }, [title]);
  return (
    <main id="main" className="screen" tabIndex={-1}>
      <header className="screen-head">
        <div>
          <h1>{title}</h1>
          {note !== undefined && <p className="screen-note">{note}</p>}
        </div>
        {aside !== undefined && <div className="screen-aside">{aside}</div>}
      </header>
      {children}
    </main>
  );
}

interface PanelProps {
  readonly title: string;
  readonly tally?: ReactNode;
  readonly children: ReactNode;
}

/** Titled section of a screen. */
export function Panel({ title, tally, children }: PanelProps) {
  return (
    <section className="panel" aria-label={title}>
      <h2>
        {title} {tally !== undefined && <span className="tally">{tally}</span>}
      </h2>
      {children}
    </section>
  );
}

/** List of names with values. */
export function Facts({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
