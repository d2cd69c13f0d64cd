// The index page.
'use strict';
{
  const { h } = assay;

  function build() {
    const dataset = assay.dataset();
    const columns = assay.readColumns(dataset);
    const state = new assay.IndexState(dataset, columns);
    const table = new assay.EpisodeTable(dataset, columns, state);
    const main = h(
      'main',
      {},
      assay.verdict(dataset, columns, state),
      h(
        'div',
        { class: 'pair' },
        assay.scorePanel(dataset, columns, state),
        h(
          'div',
          {},
          assay.findingsPanel([...assay.notFinished(dataset.dataset), ...dataset.dataset.findings]),
          assay.issuePanel(dataset, state),
        ),
      ),
      assay.checkPanel(dataset, columns, state),
      h(
        'section',
        { class: 'list', 'aria-labelledby': 'episodes-title' },
        h('h2', { id: 'episodes-title' }, 'Episodes'),
        assay.toolbar(dataset, columns, state),
        table.element,
      ),
    );
    assay.printRows(main.querySelector('.list'), state);
    document.body.append(skipLink(), top(dataset.title), main, foot());
    state.readAddress();
    addEventListener('hashchange', () => state.readAddress());
    assay.state = state;
  }

  function skipLink() {
    const skip = (event) => {
      event.preventDefault();
      document.querySelector('.search')?.focus();
    };
    return h('a', { class: 'skip', href: '#', on: { click: skip } }, 'Skip to episodes');
  }

  function top(title) {
    return h(
      'header',
      { class: 'top' },
      h('p', { class: 'brand' }, 'Assay'),
      h('p', { class: 'where', title }, title),
      assay.themeButton(),
    );
  }

  function foot() {
    return h(
      'footer',
      { class: 'foot' },
      h(
        'p',
        {},
        'Each episode has a receipt that anyone can verify offline with ',
        h('code', {}, 'assay verify RECEIPT'),
        '. The same recording and settings always give the same receipt.',
      ),
    );
  }

  try {
    build();
  } catch (thrown) {
    assay.fail(thrown);
  }
}
