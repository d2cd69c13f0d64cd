// The receipt on the episode's page: shown in full, and its seal checked in this browser.
'use strict';
{
  const { h } = assay;

  assay.receiptSection = (receipt, path) => {
    const state = h('p', { class: 'seal', role: 'status' }, 'Verifying the content hash…');
    assay.checkSeal(receipt).then((seal) => {
      if (seal.state === 'not_assessable')
        state.replaceChildren('This browser cannot compute SHA-256 on this page; use the command below.');
      else if (seal.state === 'holds')
        state.replaceChildren(
          assay.glyph('accept'),
          h('b', {}, 'Verified. '),
          'This browser recomputed the content hash of the receipt shown here.',
        );
      else
        state.replaceChildren(
          assay.glyph('reject'),
          h('b', {}, 'Verification failed: '),
          `this receipt hashes to ${seal.hash}.`,
        );
      state.classList.add(seal.state === 'holds' ? 'is-accept' : 'is-reject');
    });
    const command = `assay verify ${path ?? 'RECEIPT'}`;
    return h(
      'section',
      { class: 'panel receipt', 'aria-labelledby': 'receipt-title' },
      h('h2', { id: 'receipt-title' }, 'Receipt'),
      state,
      h(
        'dl',
        { class: 'sheet' },
        pair('content_hash', h('code', { class: 'hash' }, receipt.content_hash)),
        pair('settings_hash', h('code', { class: 'hash' }, receipt.settings_hash)),
        pair('engine', `${receipt.engine.name} ${receipt.engine.version}`),
        pair(
          'canonicalisation',
          `SHA-256 over the ${receipt.canonicalisation} form of everything except content_hash`,
        ),
        pair('verify', h('code', {}, command), ' ', copyButton(command)),
        path ? pair('file', h('a', { href: path.split('/').map(encodeURIComponent).join('/') }, path)) : null,
      ),
      h(
        'details',
        { class: 'json' },
        h('summary', {}, 'Full receipt'),
        h('pre', { tabindex: 0 }, JSON.stringify(receipt, null, 2)),
      ),
    );
  };

  function pair(term, ...value) {
    return h('div', {}, h('dt', {}, term), h('dd', {}, value));
  }

  function copyButton(text) {
    const button = h('button', { type: 'button', class: 'quiet no-print' }, 'Copy');
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = 'Copied';
      } catch {
        button.textContent = 'Select and copy manually';
      }
    });
    return button;
  }
}
