import { type ReactNode, useEffect } from 'react';

interface PageProps {
  readonly title: string;
  /** What stands beside the title. */
  readonly aside?: ReactNode;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

/** A screen: its title, in the window too, and what it shows. */
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

/** A part of a screen. */
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

/** Names and values side by side. */
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
