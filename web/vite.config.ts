import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `npm run web` builds; `npx vite web` serves with reloading before a service at ASSAY_ADDRESS. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: 'es2023',
    // A picture inside a style sheet would be one more thing that the page's policy must let in.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
  },
  server: { proxy: { '/v1': process.env.ASSAY_ADDRESS ?? 'http://127.0.0.1:8420' } },
});
