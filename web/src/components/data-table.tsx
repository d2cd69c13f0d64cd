import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly number?: boolean;
  /** Whether the column takes the remaining width. */
  readonly wide?: boolean;
}

interface DataTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Shown if there are no rows. */
  readonly none: ReactNode;
}

/** Table for up to a few dozen rows; it scrolls horizontally on narrow pages. */
export function DataTable<Row>({ caption, columns, rows, keyOf, none }: DataTableProps<Row>) {
  if (rows.length === 0) return <p className="empty">{none}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="scroller" tabIndex={0} aria-label={caption}>
      <table className="data">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, number, wide }) => (
              <th key={title} scope="col" className={classOf(number, wide)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, number, wide }) => (
                <td key={title} className={classOf(number, wide)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const classOf = (number = false, wide = false): string | undefined =>
  number ? 'number' : wide ? 'wide' : undefined;
