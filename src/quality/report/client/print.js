// Paper: every row that passes the filters, in the order shown, from the table that is there without scripts.
'use strict';
{
  const { h, count } = assay;

  /** Draws as few rows as can be seen on a screen, and all of them on paper. */
  assay.printRows = (list, state) => {
    let onPaper = null;
    let opened = [];
    addEventListener('beforeprint', () => {
      onPaper ??= paper(state);
      // What is folded away on the screen cannot be unfolded on paper.
      opened = [...document.querySelectorAll('.findings details:not([open])')];
      for (const each of opened) each.open = true;
      list.append(onPaper);
      list.classList.add('has-paper');
    });
    addEventListener('afterprint', () => {
      onPaper?.remove();
      onPaper = null;
      for (const each of opened.splice(0)) each.open = false;
      list.classList.remove('has-paper');
    });
  };

  function paper(state) {
    // Scripts run, so its content is text; it is the page's own, and what is quoted in it is escaped.
    const text = document.querySelector('noscript').textContent;
    const table = new DOMParser().parseFromString(text, 'text/html').querySelector('table');
    const all = [...table.tBodies[0].rows];
    const rows = [...state.rows].flatMap((row) => all[row] ?? []);
    table.tBodies[0].replaceChildren(...rows);
    const left = state.rows.length - rows.length;
    const note =
      left > 0
        ? h(
            'p',
            {},
            `${count(rows.length)} of ${count(state.rows.length)} shown; print table-2.html and the following pages for the rest.`,
          )
        : null;
    return h('div', { class: 'still on-paper' }, table, note);
  }
}
