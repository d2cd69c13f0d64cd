// The receipt on the episode's page: shown in full, and its seal checked in this browser.
'use strict';
{
  const { h } = assay;

  /** RFC 8785 text of plain JSON: members sorted by UTF-16 code units, numbers as ECMAScript prints them. */
  function canonical(value) {
    if (value === null || typeof value !== 'object') return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
    const members = Object.keys(value).sort();
    return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
  }
  assay.canonicalJson = canonical;

  /** SHA-256 over the receipt without its `content_hash`; null where the browser offers no hashing. */
  async function contentHash(receipt) {
    if (!globalThis.crypto?.subtle) return null;
    const { content_hash: _sealed, ...body } = receipt;
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonical(body)));
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  assay.receiptSection = (receipt, path) => {
    const state = h('p', { class: 'seal', role: 'status' }, 'Checking the seal…');
    contentHash(receipt).then((hash) => {
      if (hash === null)
        state.replaceChildren('This browser cannot compute SHA-256 here; use the command below.');
      else if (hash === receipt.content_hash)
        state.replaceChildren(
          assay.glyph('accept'),
          h('b', {}, 'The seal holds. '),
          'Computed again in this browser from the receipt shown here.',
        );
      else
        state.replaceChildren(
          assay.glyph('reject'),
          h('b', {}, 'The seal is broken: '),
          `this receipt hashes to ${hash}.`,
        );
      state.classList.add(hash === receipt.content_hash ? 'is-accept' : 'is-reject');
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
        pair('canonicalisation', `${receipt.canonicalisation}, SHA-256 over everything but content_hash`),
        pair('verify', h('code', {}, command), ' ', copyButton(command)),
        path ? pair('file', h('a', { href: path.split('/').map(encodeURIComponent).join('/') }, path)) : null,
      ),
      h(
        'details',
        { class: 'json' },
        h('summary', {}, 'The receipt in full'),
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
        button.textContent = 'Select it by hand';
      }
    });
    return button;
  }
}
