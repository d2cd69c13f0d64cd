// What both pages share: data that arrives from data files, and the theme. Elements, texts, icons and the seal are in shared.js.
'use strict';

const assay = { data: new Map() };
globalThis.assay = assay;

/** Data files call this as they load. */
assay.receive = (slot, part, items, packing) => {
  assay.data.set(`${slot}-${part}`, packing === undefined ? items : unpacked(items[0], packing));
};

/** The texts of a packed data file. */
async function unpacked(base64, packing) {
  if (typeof DecompressionStream === 'undefined')
    throw new Error('this browser is too old (2023 or newer is required)');
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(packing));
  return (await new Response(stream).text()).split('\n');
}

const loading = new Map();

/** Loads a data file once; resolves with its items. Script elements, since `fetch` does not work on file://. */
assay.load = (slot, part) => {
  const key = `${slot}-${part}`;
  if (!loading.has(key)) {
    loading.set(
      key,
      new Promise((resolve, reject) => {
        const script = document.createElement('script');
        script.src = `data/${key}.js`;
        script.onload = () => {
          const items = assay.data.get(key);
          if (items) resolve(items);
          else reject(new Error(`data/${key}.js is empty`));
        };
        script.onerror = () => reject(new Error(`data/${key}.js could not be loaded`));
        document.head.append(script);
      }),
    );
  }
  return loading.get(key);
};

/** The dataset's summary (dictionaries, checks, findings). */
assay.dataset = () => JSON.parse(assay.data.get('dataset-0')[0]);

/** Names the dataset of an episode by the episode's number; null where there is only one dataset. */
assay.datasetNames = ({ dataset: { parts } }) => {
  const ends = [];
  for (const { episodes } of parts) ends.push((ends.at(-1) ?? 0) + episodes);
  return (number) => {
    if (parts.length < 2) return null;
    const path = parts[ends.findIndex((after) => number < after)]?.path ?? '.';
    return path === '.' ? null : path;
  };
};

assay.decisionBadge = (decision) =>
  assay.h('span', { class: `badge is-${decision}` }, assay.glyph(decision), assay.decisionWords[decision]);

const storage = {
  get(key) {
    try {
      return localStorage.getItem(`assay.${key}`) ?? sessionStorage.getItem(`assay.${key}`);
    } catch {
      return null;
    }
  },
  set(key, value, area) {
    try {
      (area === 'session' ? sessionStorage : localStorage).setItem(`assay.${key}`, value);
    } catch {
      // A browser that keeps nothing for file:// loses a convenience, no more.
    }
  },
};
assay.storage = storage;

const darkPreferred = matchMedia('(prefers-color-scheme: dark)');
const themeListeners = [];
assay.onTheme = (listener) => themeListeners.push(listener);

function themeNow() {
  return document.documentElement.dataset.theme ?? (darkPreferred.matches ? 'dark' : 'light');
}

function announceTheme() {
  for (const listener of themeListeners) listener(themeNow());
}

assay.themeButton = () => {
  const button = assay.h('button', {
    class: 'theme quiet',
    type: 'button',
    on: {
      click: () => {
        const next = themeNow() === 'dark' ? 'light' : 'dark';
        document.documentElement.dataset.theme = next;
        storage.set('theme', next);
        announceTheme();
      },
    },
  });
  const label = () => {
    button.textContent = themeNow() === 'dark' ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Switch to the ${themeNow() === 'dark' ? 'light' : 'dark'} theme`);
  };
  assay.onTheme(label);
  label();
  return button;
};

const saved = storage.get('theme');
if (saved === 'dark' || saved === 'light') document.documentElement.dataset.theme = saved;
darkPreferred.addEventListener('change', announceTheme);

// Paper is white: print in the light theme, and have what is drawn on canvas drawn again.
let themeBeforePrint;
addEventListener('beforeprint', () => {
  themeBeforePrint = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = 'light';
  announceTheme();
});
addEventListener('afterprint', () => {
  if (themeBeforePrint) document.documentElement.dataset.theme = themeBeforePrint;
  else delete document.documentElement.dataset.theme;
  announceTheme();
});

/** Says what went wrong on the page instead of leaving it empty. */
assay.fail = (thrown) => {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  document.body.append(
    assay.h(
      'p',
      { class: 'failure', role: 'alert' },
      `Cannot show this page: ${message}. Keep index.html, episode.html, assets and data together in the report folder.`,
    ),
  );
};
